import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startCommand } from './run-command.ts';
import type { Running } from './run-command.ts';
import { formatLocalTime } from '../packages/vault/src/contract/index.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** Runs `keepsake demo` without a terminal, and returns the link it prints. */
async function demo(home: string, folder: string): Promise<Running & { link: string }> {
  const running = startCommand(['demo', folder], { variables: { HOME: home } });
  const [, link = ''] = await running.saying(/^open (http:\S+)\n/m);
  onTestFinished(() => running.send('SIGTERM'));
  return { ...running, link };
}

it('keepsake demo serves a demo vault at an address that a second command reuses, and keeps its state for the next time', async () => {
  const home = temporaryFolder();
  const folder = join(home, 'tries/demo');
  const first = await demo(home, folder);
  const opened = await fetch(first.link, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(cookie).not.toBe('');
  const { origin } = new URL(first.link);
  const shown = await fetch(`${origin}/api/vaults/default/files/profile.md`, { headers: { cookie } });
  expect(await shown.text()).toContain('# Profil');
  const list = async (what: string): Promise<string> =>
    (await fetch(`${origin}/api/vaults/default/${what}`, { headers: { cookie } })).text();
  // The changes come from a recorded run of the agents, and are marked as such.
  expect(JSON.parse(await list('history?state=applied&who=agent'))).toMatchObject({
    changes: [
      {
        who: { kind: 'agent', name: 'demonstration' },
        said: 'The oxygen probe of buoy 7 was replaced; its task is done, and a new spare one is to be ordered.',
      },
      { said: expect.stringContaining('le bateau ou pour la longère') as string },
    ].map((each) => expect.objectContaining(each) as unknown),
  });
  expect(await list('inbox')).toMatch(/"kind":"held"[\s\S]*another account for invoices/);
  const today = formatLocalTime(Date.now()).slice(0, 10);
  expect(await list('inbox')).toContain(`${today}-rendez-vous`);
  // The dates of the notes are moved close to today.
  const { overdue, due, upcoming } = JSON.parse(await list('today')) as Record<string, unknown[]>;
  expect((due?.length ?? 0) + (upcoming?.length ?? 0)).toBeGreaterThan(2);
  expect(overdue?.length).toBeLessThan(6);
  expect(await list('answers')).toMatch(/raise an alert[\s\S]*"done"/);

  const second = await demo(home, folder);
  expect(new URL(second.link).origin).toBe(origin);
  expect(await second.ended).toMatchObject({ code: 0 });

  first.send('SIGINT');
  expect(await first.ended).toMatchObject({ code: 0 });
  writeFileSync(join(folder, 'mine.md'), 'kept\n');
  const third = await demo(home, folder);
  expect(readFileSync(join(folder, 'mine.md'), 'utf8')).toContain('kept');
  third.send('SIGTERM');
  expect(await third.ended).toMatchObject({ code: 0 });
});

it('keepsake demo leaves a folder that is not a demo vault unchanged', async () => {
  const home = temporaryFolder();
  layOut(home, { 'notes/projects/mine/state.md': 'mine\n' });
  await expect(demo(home, join(home, 'notes'))).rejects.toThrow('already exists');
  expect(existsSync(join(home, 'notes/.keepsake'))).toBe(false);
});
