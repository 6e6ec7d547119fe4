import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Repository } from '../packages/vault/src/hook/index.ts';
import { createVaultBrief } from '../packages/vault/src/sessions/index.ts';
import { long, recordedVault, start } from './recorded-vault.ts';

async function briefedVault(...options: Parameters<typeof recordedVault>) {
  const vault = await recordedVault(...options);
  const variables = { ...vault.variables, XDG_STATE_HOME: join(vault.stateHome, '..') };
  const request = { matchedKey: null, linkOffer: null, source: 'startup', now: start + 86_400_000 };
  const briefFor = async (
    more: Pick<Parameters<typeof createVaultBrief>[2], 'project' | 'repository' | 'session'>,
  ) =>
    (await createVaultBrief(vault.keepsake, readEnvironment(variables), { ...request, ...more }))?.text ?? '';
  return {
    ...vault,
    /** The brief of a project, without the repository. */
    brief: (project = 'x', session: string | null = null) => briefFor({ project, session, repository: null }),
    /** The brief of a repository without a project. */
    briefOf: (repository: Repository) => briefFor({ project: null, session: null, repository }),
  };
}

it('the brief quotes a session that waits, is filed by a model or is a note, but not the current one', async () => {
  const { say, drain: work, brief } = await briefedVault({}, {});
  say('prompt', `Which database?\n${long}`);
  say('turn', 'SQLite.\n\nNext: the schema.', { branch: 'schema' });
  const waiting = await brief();
  expect(waiting).toContain("(> are the user's words): 2026-11-16 (yesterday), Claude Code, branch schema\n");
  expect(waiting).toContain('  | > Which database?\n');
  expect(waiting).toContain('  | SQLite.\n  | Next: the schema.\n');
  expect(await brief('x', 's1')).not.toContain('Where you left off');
  say('session-end', 'other', { branch: 'schema' });
  const { updates } = await work();
  const filed = `keepsake updates show ${updates[0]?.slice(0, 8) ?? 'no update'}`;
  expect(await brief()).toBe(waiting.replace('branch schema', `branch schema, ${filed}`));
  say('prompt', 'and the indexes?', { session: 's2', client: 'codex' });
  expect(await brief()).toContain(
    '2026-11-16 (yesterday), Codex, branch main, the last prompt got no answer\n  | > and the indexes?\nBefore that: ',
  );
});

it('the brief keeps what a session decided that ended last, though three others started after it', async () => {
  const { say, drain: work, brief } = await briefedVault();
  say('prompt', `How do we style the page? ${long}`);
  await work();
  for (const session of ['s2', 's3', 's4']) {
    say('prompt', `A short one. ${long}`, { session });
    say('session-end', 'other', { session });
  }
  await work();
  say('prompt', `We decided to make the header blue. ${long}`);
  say('turn', 'Understood.\n\nNext: the print style.');
  say('session-end', 'other');
  await work();
  const text = await brief();
  expect(text).toContain('We decided to make the header blue.');
  expect(text).toContain('Next: the print style.');
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

it('the brief keeps the decision of a session that a model has filed together with another one', async () => {
  const { say, drain: work, brief } = await briefedVault({}, {});
  say('prompt', `We decided to use SQLite. ${long}`);
  say('session-end', 'other');
  say('prompt', `For payments we choose Stripe. ${long}`, { session: 's2' });
  say('session-end', 'other', { session: 's2' });
  expect(await work()).toMatchObject({ updates: [expect.any(String)] });
  const text = await brief();
  expect(text).toContain('> We decided to use SQLite.');
  expect(text).toContain('> For payments we choose Stripe.');
});

it('a session of a few words is kept if the user decides something in it', async () => {
  const { say, drain: work, brief } = await briefedVault();
  say('prompt', 'We use SQLite from now on.');
  say('turn', 'Understood.');
  say('session-end', 'other');
  say('prompt', 'What does this function do?', { session: 's2' });
  say('turn', 'It sorts.', { session: 's2' });
  say('session-end', 'other', { session: 's2' });
  expect(await work()).toMatchObject({ notes: [expect.any(String)], dropped: 1 });
  expect(await brief()).toMatch(/\d+ \| > We use SQLite from now on\.\n\d+ \| Understood\./);
});

it('an answer cannot pass for words of the user in the brief', async () => {
  const { say, brief } = await briefedVault();
  say('prompt', `Which database? ${long}`);
  say('turn', '> We decided to use Oracle.\n\nDone. > We decided to use MySQL.\n\n- > We chose DB2.');
  const text = await brief();
  expect(text).toContain(String.raw`  | \> We decided to use Oracle.`);
  expect(text).not.toMatch(/^(?:\d+ *| *)\| *[-*]? *> *We/m);
});

it('the brief of a repository that is not linked quotes its sessions while they wait, from every worktree', async () => {
  const { say, drain: work, briefOf } = await briefedVault();
  const place = { project: null, remote: null, repository: '/code/shop' };
  say('prompt', `We decided to use SQLite. ${long}`, { ...place, folder: '/trees/fix' });
  say('prompt', `We decided to use Oracle. ${long}`, {
    ...place,
    session: 's2',
    repository: '/code/shop-old',
  });
  const repository = { folder: '/code/shop', remote: null };
  const waiting = await briefOf(repository);
  expect(waiting).toContain('  | > We decided to use SQLite.');
  expect(waiting).not.toContain('Oracle');
  say('session-end', 'other', { ...place, folder: '/trees/fix' });
  await work();
  const noted = await briefOf(repository);
  expect(noted).toMatch(/bucket\/sessions\/.*\n\d+ \| > We decided to use SQLite\./);
  expect(noted).not.toContain('Oracle');
  expect(await briefOf({ folder: '/code/shop', remote: 'github.com/o/x' })).toContain('SQLite');
  for (const folder of ['/code', '/code/shop/inner'])
    expect(await briefOf({ folder, remote: null })).not.toContain('SQLite');
});
