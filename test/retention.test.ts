import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { createFileChange } from '../packages/vault/src/changes/index.ts';
import { createSqliteQueue } from '../packages/vault/src/queue/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { forgetWords } from './forget-target.ts';
import { runCommand } from './run-command.ts';
import { laidOut, layOut, temporaryFolder } from './temporary-vault.ts';

const day = 24 * 3_600_000;

type OldVault = {
  folder: string;
  state: string;
  variables: NodeJS.ProcessEnv;
  keepsake: Keepsake;
  /** Writes a file as the user, `age` days ago. Returns the id of the change. */
  write: (path: string, text: string, age: number) => Promise<string>;
  /** Everything on disk in the state folder, and every object of history. */
  stored: () => string;
};

/** A vault whose clock can be set back, with a configured retention. */
async function oldVault(retention: object): Promise<OldVault> {
  const place = temporaryFolder();
  const [folder, state, home] = ['vault', 'state', 'home'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(home, '.config/keepsake'), { recursive: true });
  writeFileSync(join(home, '.config/keepsake/config.yaml'), JSON.stringify({ retention }));
  layOut(folder, { ...laidOut, 'note.md': 'at first\n' });
  const variables = { HOME: home, PATH: process.env['PATH'] };
  let age = 0;
  const now = Date.now();
  const keepsake = await openKeepsake({
    vault: folder,
    state,
    environment: readEnvironment(variables),
    clock: () => now - age * day,
  });
  onTestFinished(async () => void (await keepsake.close()));
  return {
    folder,
    state,
    variables,
    keepsake,
    async write(path, text, daysAgo) {
      age = daysAgo;
      const file = join(folder, path);
      const change = createFileChange(`vault/${path}` as VaultPath, readFileSync(file), Buffer.from(text));
      const written = await keepsake.changes.writer.write(change === null ? [] : [change], {
        origin: 'keepsake write',
        summary: `wrote ${path}`,
      });
      if (written.kind !== 'written') throw new Error(written.kind);
      await keepsake.changes.record();
      age = 0;
      return written.id;
    },
    stored() {
      const git = join(state, 'history.git');
      const objects = execFileSync('git', ['-C', git, 'cat-file', '--batch', '--batch-all-objects']);
      const files = readdirSync(state).filter((name) => name.startsWith('keepsake.sqlite'));
      return [objects, ...files.map((name) => readFileSync(join(state, name)))].map(String).join('\n');
    },
  };
}

it('retention removes old changes from the journal, git and the database, and keeps newer ones undoable', async () => {
  const { keepsake, write, stored, folder, state } = await oldVault({ history: '1y' });
  const first = await write('note.md', 'oldest words\n', 800);
  const second = await write('note.md', 'middle words\n', 700);
  await write('note.md', 'words at the start\n', 400);
  const kept = await write('note.md', 'newer words\n', 100);
  expect(stored()).toContain('oldest words');
  expect(await keepsake.agents.applyRetention()).toEqual({ changes: 3, updates: 0 });
  expect(stored()).not.toMatch(/oldest words|middle words|at first/);
  expect(readdirSync(join(state, 'history.git'))).not.toContain('keepsake-cut');
  expect(keepsake.changes.list({ limit: 10 }).map(({ id }) => id)).toEqual([kept]);
  expect(await keepsake.changes.undo(second)).toEqual({ kind: 'expired' });
  expect(await keepsake.changes.undo(first.slice(0, 8))).toEqual({ kind: 'expired' });
  expect(await keepsake.changes.restore(first, 'vault/note.md' as VaultPath)).toEqual({ kind: 'expired' });
  expect(await keepsake.changes.undo(kept)).toMatchObject({ kind: 'written' });
  expect(readFileSync(join(folder, 'note.md'), 'utf8')).toContain('words at the start');
  await keepsake.changes.record();
  expect(await keepsake.changes.checkHistory()).toMatchObject({
    damage: null,
    problems: [],
    missingCommits: 0,
  });
  expect(await keepsake.agents.applyRetention()).toEqual({ changes: 0, updates: 0 });
});

it('retention continues with later changes after it removed some', async () => {
  const { keepsake, write, stored } = await oldVault({ history: '30d' });
  await write('note.md', 'words one\n', 100);
  await write('note.md', 'words two\n', 90);
  await keepsake.agents.applyRetention();
  await write('note.md', 'words three\n', 50);
  const kept = await write('note.md', 'words four\n', 1);
  expect(await keepsake.agents.applyRetention()).toEqual({ changes: 1, updates: 0 });
  expect(stored()).not.toMatch(/words one|words two/);
  expect(await keepsake.changes.undo(kept)).toMatchObject({ kind: 'written' });
});

it('retention keeps everything until a period is configured', async () => {
  const { keepsake, write, stored } = await oldVault({});
  const old = await write('note.md', 'oldest words\n', 8_000);
  await write('note.md', 'newer words\n', 1);
  expect(await keepsake.agents.applyRetention()).toEqual({ changes: 0, updates: 0 });
  expect(stored()).toContain('oldest words');
  expect(keepsake.changes.find(old)).not.toBeNull();
});

it('retention finishes what a killed process has begun', async () => {
  const { keepsake, write, stored, state } = await oldVault({ history: '30d' });
  const old = await write('note.md', 'oldest words\n', 100);
  await write('note.md', 'base words\n', 90);
  await write('note.md', 'newer words\n', 1);
  // The process ended after the journal had deleted its entries.
  writeFileSync(join(state, 'history.git/keepsake-cut'), '');
  const { durable } = keepsake.state.databases();
  durable.exec(
    `insert into expired_changes select id, at, state from transactions where id = '${old}';
     delete from changes where transaction_seq = (select seq from transactions where id = '${old}');
     delete from transactions where id = '${old}'`,
  );
  await keepsake.agents.applyRetention();
  expect(stored()).not.toContain('oldest words');
  expect(await keepsake.changes.undo(old)).toEqual({ kind: 'expired' });
});

it('retention keeps held changes and changes of unfinished updates', async () => {
  const { keepsake, write } = await oldVault({ history: '30d', queue: '30d' });
  await write('note.md', 'oldest words\n', 100);
  const needed = await write('note.md', 'needed words\n', 90);
  const last = await write('note.md', 'newer words\n', 80);
  const { durable } = keepsake.state.databases();
  durable.prepare(`update transactions set state = 'held', recorded = 0 where id = ?`).run(needed);
  const queue = createSqliteQueue(durable, () => Date.now() - 100 * day);
  const open = await queue.accept({ text: 'still waiting', source: { kind: 'person', name: 'x' } });
  durable.prepare('update transactions set id = ? where id = ?').run(open.id, last);
  expect(await keepsake.agents.applyRetention()).toEqual({ changes: 1, updates: 0 });
  expect(keepsake.changes.find(needed)?.entry.state).toBe('held');
  expect(keepsake.changes.find(open.id)?.entry.state).toBe('applied');
  expect(keepsake.agents.updates.find(open.id)?.state).toBe('waiting');
});

it('retention removes finished updates, and keeps those whose change is held or recent or whose question is open', async () => {
  const { keepsake, write, folder, stored } = await oldVault({ queue: '30d' });
  const recent = await write('note.md', 'newer words\n', 1);
  const { durable } = keepsake.state.databases();
  const queue = createSqliteQueue(durable, () => Date.now() - 100 * day);
  layOut(folder, { 'inbox/2025-01-02-open/review.md': 'Which one?\n' });
  const accept = async (text: string, asked: string | null = null): Promise<string> => {
    const { id } = await queue.accept({ text, source: { kind: 'person', name: 'x' } });
    const result = { kind: 'filed', summary: '', paths: [], asked, receipt: null };
    durable
      .prepare(`update updates set state = 'done', result = ? where id = ?`)
      .run(JSON.stringify(result), id);
    return id;
  };
  const old = await accept('forgotten sentence');
  const asking = await accept('asking', '2025-01-02-open');
  const lately = await accept('filed lately');
  durable.prepare('update updates set id = ? where id = ?').run(recent, lately);
  expect(stored()).toContain('forgotten sentence');
  expect(await keepsake.agents.applyRetention()).toEqual({ changes: 0, updates: 1 });
  expect(stored()).not.toContain('forgotten sentence');
  const { updates } = keepsake.agents;
  expect(updates.find(old)).toBeUndefined();
  expect([old, old.slice(0, 8), asking, recent].map((id) => updates.isExpired(id))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(updates.find(asking)).toBeDefined();
  expect(updates.find(recent)).toBeDefined();
});

it('config retention sets periods, and the commands say that an id is older than what is kept', async () => {
  const { keepsake, write, folder, state, variables } = await oldVault({});
  const run = (...args: string[]) => runCommand(args, { variables });
  const set = await run('config', 'retention', 'history', '30d');
  expect(set.out).toMatch(/history\s+kept for 30d\nqueue\s+all kept/);
  const wrong = await run('config', 'retention', 'queue', 'soon');
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.err).toContain('not a period: soon');
  const old = await write('note.md', 'oldest words\n', 100);
  await write('note.md', 'base words\n', 90);
  await keepsake.agents.applyRetention();
  const place = ['--vault', folder, '--state', state];
  for (const command of ['show', 'undo', 'approve']) {
    const asked = await run(command, old.slice(0, 8), ...place);
    expect(asked.err + asked.out).toContain('this change is older than what is kept');
  }
  const doctor = await run('doctor', '--verbose', ...place);
  expect(doctor.out).toMatch(/changes: 0; [\d.]+ [kM]?B, kept for 30d/);
  expect(doctor.out).toMatch(/0 waiting, 0 parked; 0 B, all kept/);
  expect((await run('config', 'retention', 'off')).out).toMatch(/history\s+all kept/);
});

it('upkeep applies retention', async () => {
  const { keepsake, write } = await oldVault({ history: '30d' });
  await write('note.md', 'oldest words\n', 100);
  const expired = await new Promise((resolve) => {
    const upkeep = keepsake.startUpkeep({
      timing: { recordIntervalMs: 10 },
      onEvent: (event) => (event.kind === 'expired' ? resolve(event) : undefined),
    });
    onTestFinished(() => upkeep.stop());
  });
  expect(expired).toEqual({ kind: 'expired', changes: 1, updates: 0 });
});

it('words can be forgotten after retention has cut history, and newer changes stay undoable', async () => {
  const { keepsake, write, stored } = await oldVault({ history: '30d' });
  await write('note.md', 'oldest words\n', 100);
  await write('note.md', 'the zebrafinch and the base\n', 90);
  const kept = await write('note.md', 'the zebrafinch and newer words\n', 1);
  await keepsake.agents.applyRetention();
  await forgetWords(keepsake, 'zebrafinch');
  expect(stored()).not.toContain('zebrafinch');
  expect(await keepsake.changes.checkHistory()).toMatchObject({
    damage: null,
    problems: [],
    missingCommits: 0,
  });
  expect(keepsake.changes.find(kept)).not.toBeNull();
  expect((await keepsake.changes.undo(kept)).kind).not.toBe('expired');
  await write('note.md', 'written later\n', 0);
  expect(await keepsake.changes.checkHistory()).toMatchObject({
    damage: null,
    problems: [],
    quarantined: [],
  });
});
