import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { stableId, store } from './session-transcripts.ts';
import { snapshot } from './snapshot.ts';

const long = 'We looked at it for a while, and compared what there is. '.repeat(10);

async function place() {
  const home = temporaryFolder();
  const vault = join(home, 'vault');
  const keepsake = (...args: string[]) => runCommand(args, { variables: { HOME: home } });
  const importSessions = (...args: string[]) => keepsake('import', 'sessions', ...args, '--vault', vault);
  await keepsake('init', vault);
  layOut(vault, { 'projects/startup-x/state.md': '# State\n' });
  const turns = [{ prompt: `Which database? ${long}`, answer: 'SQLite.' }];
  const at = Date.parse('2026-03-02T09:00:00');
  store.claudeCode(home, { id: stableId('one'), folder: '/code/startup-x', at, turns });
  store.codex(home, { id: stableId('two'), folder: '/code/other', at, turns });
  return { home, vault, keepsake, importSessions };
}

it('import sessions shows a plan, writes nothing without a confirmation, and imports with --yes', async () => {
  const { vault, importSessions } = await place();
  const before = snapshot(vault);
  const planned = await importSessions('--dry-run');
  expect(planned).toMatchObject({ code: 0, err: '' });
  expect(planned.out).toMatch(/^project +sessions +days +words +known\n/);
  expect(planned.out).toMatch(/^startup-x +1 +1 +\d+ +0$/m);
  expect(planned.out).toContain('1 folder without a project; their sessions go into bucket/sessions.');
  expect(planned.out).toMatch(/^ {2}\/code\/other \(1 session\)\n/m);
  expect(planned.out).toMatch(/2 sessions to import\.\n$/);
  const refused = await importSessions();
  expect([refused.code, refused.err]).toEqual([
    2,
    'nothing was imported; to import, repeat the command with --yes\n',
  ]);
  expect(snapshot(vault)).toEqual(before);
  const imported = await importSessions('--yes');
  expect(imported.code).toBe(0);
  expect(imported.out).toMatch(/Imported: 2 session notes\.\nUndo with: keepsake undo \w{8}\n$/);
  expect(globSync(join(vault, '{projects/startup-x/,}bucket/sessions/*.md'))).toHaveLength(2);
  const after = snapshot(vault);
  expect((await importSessions('--yes')).out).toMatch(/Nothing new to import\.\n$/);
  expect(snapshot(vault)).toEqual(after);
});

it('import sessions takes clients and prints JSON', async () => {
  const { importSessions } = await place();
  const { out } = await importSessions('codex', 'gemini', '--since', '2026', '--yes', '--json');
  expect(JSON.parse(out)).toMatchObject({
    plan: { projects: [{ project: null, sessions: 1 }] },
    result: { notes: 1, updates: 0, failed: [], left: 0 },
  });
});

it('import sessions refuses unknown clients and dates, and filing without a model', async () => {
  const { importSessions } = await place();
  for (const [args, error] of [
    [['cursor'], 'unknown client: cursor'],
    [['--since', 'yesterday'], 'not a date: yesterday'],
    [['--file', '3'], 'model'],
  ] as const) {
    const { code, err } = await importSessions(...args);
    expect([args, code === 0, err.includes(error)]).toEqual([args, false, true]);
  }
});

it('a folder named sessions can still be imported', async () => {
  const { home, vault, keepsake } = await place();
  layOut(join(home, 'sessions'), { 'a.md': '# A\n' });
  const { out } = await keepsake('import', join(home, 'sessions'), '--dry-run', '--vault', vault);
  expect(out).toContain('vault/bucket/sessions');
});
