import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEnvironment } from '../packages/vault/src/app/index.ts';
import { createVaultBrief } from '../packages/vault/src/sessions/index.ts';
import { long, recordedVault, start } from './recorded-vault.ts';

async function briefedVault(...options: Parameters<typeof recordedVault>) {
  const vault = await recordedVault(...options);
  const variables = { ...vault.variables, XDG_STATE_HOME: join(vault.stateHome, '..') };
  const request = { matchedKey: null, source: 'startup', now: start + 86_400_000 };
  return {
    ...vault,
    brief: async (project = 'x', session: string | null = null) =>
      (await createVaultBrief(vault.keepsake, readEnvironment(variables), { project, session, ...request }))
        ?.text ?? '',
  };
}

it('the brief quotes a session that waits, is filed by a model or is a note, but not the current one', async () => {
  const { say, drain: work, brief } = await briefedVault({}, {});
  say('prompt', `Which database?\n${long}`);
  say('turn', 'SQLite.\n\nNext: the schema.', { branch: 'schema' });
  const waiting = await brief();
  expect(waiting).toContain('Where you left off: 2026-11-16 (yesterday), Claude Code, branch schema\n');
  expect(waiting).toContain('The last answer ended:\n  | SQLite.\n  | Next: the schema.');
  expect(await brief('x', 's1')).not.toContain('Where you left off');
  say('session-end', 'other', { branch: 'schema' });
  expect(await work()).toMatchObject({ updates: [expect.any(String)] });
  expect(await brief()).toBe(waiting);
  say('prompt', 'and the indexes?', { session: 's2', client: 'codex' });
  expect(await brief()).toContain(
    'Where you left off: 2026-11-16 (yesterday), Codex, branch main\nThe user asked last, and got no answer:\n  | and the indexes?',
  );
});

it('the brief quotes no session of another project or of the vault of another user', async () => {
  const {
    say,
    drain: work,
    brief,
  } = await briefedVault(
    { 'projects/y/state.md': 'Stopped.\n', 'projects/y/bucket/sessions/2026-11-16-0800-codex-1.md': 'x\n' },
    {},
  );
  say('prompt', `The other project. ${long}`, { project: 'y' });
  say('prompt', `The other vault. ${long}`, { session: 's2', vault: '/elsewhere' });
  expect(await brief()).not.toMatch(/other|left off/);
  say('session-end', 'other', { project: 'y' });
  await work();
  expect(await brief()).not.toMatch(/other|left off/);
  expect(await brief('y')).toContain('The other project.');
});

it.each(['projects/x/bucket/**', 'projects/x/**'])(
  'the brief quotes no session if %s is hidden from AI',
  async (pattern) => {
    const configuration = `agents:\n  exclude: ['${pattern}']\n`;
    const note = '---\nsource: "Codex"\n---\n\n# Hidden\n\n## 08:00\n\n> a hidden prompt\n';
    const { say, brief } = await briefedVault(
      { 'projects/x/bucket/sessions/2026-11-16-0800-codex-1.md': note },
      { configuration },
    );
    say('prompt', `a hidden prompt ${long}`);
    const text = await brief();
    expect(text).not.toMatch(/hidden prompt|left off/);
    expect(text.includes('the project x')).toBe(pattern.includes('bucket'));
  },
);
