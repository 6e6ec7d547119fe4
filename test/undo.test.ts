import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../packages/vault/src/tools/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { roomVault } from './room-vault.ts';
import type { RoomVault } from './room-vault.ts';

const note = 'vault/note.txt' as VaultPath;
const bodyOf = (text: string): string => text.replace(/^---\n[\s\S]*?\n---\n\n?/, '');
const textOf = ({ folder }: RoomVault, path: string): string =>
  bodyOf(readFileSync(join(folder, path), 'utf8'));

/** A change from one text to another; null for no file. */
function change(path: VaultPath, before: string | null, after: string | null) {
  const [had, has] = [before, after].map((text) => (text === null ? null : Buffer.from(text)));
  if (had == null) return { kind: 'create' as const, path, after: has ?? Buffer.alloc(0), mode: null };
  return has == null
    ? { kind: 'remove' as const, path, before: had, mode: null }
    : { kind: 'replace' as const, path, before: had, after: has, mode: null };
}

const why = (summary: string, origin = 'test') => ({ origin, summary });

async function write(vault: RoomVault, ...[path, before, after]: Parameters<typeof change>): Promise<string> {
  const written = await vault.changes.writer.write([change(path, before, after)], why('a change'));
  return written.kind === 'written' ? written.id : expect.unreachable(JSON.stringify(written));
}

describe('a held change', () => {
  it('can be undone by its id after approval, is shown as undone, and is redone by undoing the undo', async () => {
    const vault = await roomVault({ 'note.txt': 'one\n' });
    const id = await vault.changes.writer.holdForApproval([change(note, 'one\n', 'one\ntwo\n')], why('held'));
    expect(await vault.changes.undo(id)).toEqual({ kind: 'not-applied', state: 'held' });
    expect((await vault.changes.approve(id)).kind).toBe('written');
    expect(textOf(vault, 'note.txt')).toBe('one\ntwo\n');
    expect(vault.changes.find(id)).toMatchObject({ entry: { state: 'approved' }, isUndone: false });
    const undone = await vault.changes.undo(id);
    expect(textOf(vault, 'note.txt')).toBe('one\n');
    expect(vault.changes.find(id)?.isUndone).toBe(true);
    const by = undone.kind === 'written' ? undone.id : '';
    expect(await vault.changes.undo(id)).toEqual({ kind: 'already-undone', by });
    expect((await vault.changes.undo(by)).kind).toBe('written');
    expect(textOf(vault, 'note.txt')).toBe('one\ntwo\n');
    expect(vault.changes.find(id)?.isUndone).toBe(false);
  });

  it('is applied only once, even if the process crashed before recording the approval', async () => {
    const vault = await roomVault({ 'note.txt': 'one\n' });
    const id = await vault.changes.writer.holdForApproval([change(note, 'one\n', 'one\ntwo\n')], why('held'));
    await vault.changes.writer.write([change(note, 'one\n', 'one\ntwo\n')], {
      ...why('held (approved)'),
      approvesId: id,
    });
    writeFileSync(join(vault.folder, 'note.txt'), 'all new\n');
    expect((await vault.changes.approve(id)).kind).toBe('written');
    expect(textOf(vault, 'note.txt')).toBe('all new\n');
    expect(vault.changes.find(id)?.entry.state).toBe('approved');
  });

  it('can be approved after another one that adds lines at the same position', async () => {
    const vault = await roomVault({ 'note.md': 'one\n' });
    const hold = (town: string): Promise<string> =>
      vault.changes.writer.holdForApproval(
        [
          change('vault/note.md' as VaultPath, 'one\n', `one\n${town}\n`),
          change('vault/bucket/mail.md' as VaultPath, null, `---\ncreated: 2025-01-01\n---\n\nto ${town}\n`),
        ],
        why(town),
      );
    for (const id of [await hold('Lyon'), await hold('Nice')])
      expect((await vault.changes.approve(id)).kind).toBe('written');
    expect(textOf(vault, 'note.md')).toBe('one\nLyon\nNice\n');
    expect(textOf(vault, 'bucket/mail.md')).toBe('to Lyon\n\nto Nice\n');
  });

  it('is not merged line by line into a JSON file, which would become invalid', async () => {
    const vault = await roomVault({ 'data.json': '{"b":2}\n', 'rows.csv': 'a,b\n1,2\n3,4\n' });
    const hold = (...sides: Parameters<typeof change>): Promise<string> =>
      vault.changes.writer.holdForApproval([change(...sides)], why('held'));
    const ids = [
      await hold('vault/data.json' as VaultPath, null, '{"a":1}\n'),
      await hold('vault/rows.csv' as VaultPath, 'a,b\n1,2\n', 'a,b\n1,2\n5,6\n'),
    ];
    for (const id of ids) expect((await vault.changes.approve(id)).kind).toBe('conflict');
    expect([textOf(vault, 'data.json'), textOf(vault, 'rows.csv')]).toEqual(['{"b":2}\n', 'a,b\n1,2\n3,4\n']);
    expect((await vault.changes.approve(ids[0] ?? '', { onConflict: 'replace' })).kind).toBe('written');
    expect(textOf(vault, 'data.json')).toBe('{"a":1}\n');
  });

  it('is applied once under concurrent approvals, and not at all if it is rejected in the meantime', async () => {
    const vault = await roomVault({ 'note.md': 'one\nmine\n' });
    const path = 'vault/note.md' as VaultPath;
    const hold = (line: string): Promise<string> =>
      vault.changes.writer.holdForApproval([change(path, 'one\n', `one\n${line}\n`)], why('held'));
    const twice = await hold('held');
    const approvals = await Promise.all([vault.changes.approve(twice), vault.changes.approve(twice)]);
    expect(approvals.map(({ kind }) => kind)).toEqual(['written', 'not-applied']);
    expect(textOf(vault, 'note.md')).toBe('one\nmine\nheld\n');
    expect(vault.changes.list({ limit: 9 })).toHaveLength(2);
    const both = await hold('not this');
    const approving = vault.changes.approve(both);
    expect(await vault.changes.reject(both)).toBe(true);
    expect(await approving).toEqual({ kind: 'not-applied', state: 'rejected' });
    expect(textOf(vault, 'note.md')).not.toContain('not this');
    expect(await vault.changes.reject(twice)).toBe(false);
  });

  it('conflicts with an approved one that changed the same line, and is then applied as the user chooses', async () => {
    const vault = await roomVault({ 'note.txt': 'one\ntwo\n' });
    const hold = (line: string): Promise<string> =>
      vault.changes.writer.holdForApproval([change(note, 'one\ntwo\n', `one\n${line}\n`)], why(line));
    const [first, second, third, fourth] = await Promise.all(['a', 'b', 'c', 'd'].map(hold));
    await vault.changes.approve(first ?? '');
    expect((await vault.changes.approve(second ?? '')).kind).toBe('conflict');
    await vault.changes.approve(second ?? '', { onConflict: 'both' });
    expect(textOf(vault, 'note.txt')).toBe('one\na\nb\n');
    await vault.changes.approve(third ?? '', { onConflict: 'replace' });
    expect(textOf(vault, 'note.txt')).toBe('one\nc\n');
    expect((await vault.changes.approve(fourth ?? '', { onConflict: 'keep' })).kind).toBe('unchanged');
    expect(textOf(vault, 'note.txt')).toBe('one\nc\n');
    expect(vault.changes.find(fourth ?? '')?.entry.state).toBe('approved');
  });
});

describe('an undo that conflicts with later edits', () => {
  const edited = async (): Promise<{ vault: RoomVault; id: string }> => {
    const vault = await roomVault({ 'note.txt': 'one\ntwo\nthree\n' });
    const id = await write(vault, note, 'one\ntwo\nthree\n', 'one\nTWO\nthree\n');
    writeFileSync(join(vault.folder, 'note.txt'), 'one\nTWO, edited\nthree\n');
    return { vault, id };
  };

  it('writes nothing, names file and lines, shows both versions, and says how to continue', async () => {
    const { vault, id } = await edited();
    const outcome = describeOutcome(await vault.changes.undo(id), 'Choose.');
    expect(outcome).toMatchObject({ kind: 'failed', code: 'conflict', hint: 'Choose.' });
    const text = outcome.kind === 'failed' ? outcome.text : '';
    expect(text).toContain('vault/note.txt: the same lines were changed in the meantime (lines 2-2)');
    expect(text).toMatch(/2 {2}\| TWO, edited\n[\s\S]*proposed lines[\s\S]*2 {2}\| two\n[\s\S]*Choose\.$/);
    expect(textOf(vault, 'note.txt')).toBe('one\nTWO, edited\nthree\n');
  });

  it.each([
    ['keep', 'one\nTWO, edited\nthree\n'],
    ['replace', 'one\ntwo\nthree\n'],
    ['both', 'one\nTWO, edited\ntwo\nthree\n'],
  ] as const)('continues with %s', async (onConflict, expected) => {
    const { vault, id } = await edited();
    await vault.changes.undo(id, { onConflict });
    expect(textOf(vault, 'note.txt')).toBe(expected);
  });

  it.each([
    ['keep', null],
    ['replace', 'old\n'],
    ['both', 'old\n'],
  ] as const)('resolves a file that was deleted since: %s', async (onConflict, expected) => {
    const vault = await roomVault({ 'note.txt': 'old\n' });
    const id = await write(vault, note, 'old\n', 'new\n');
    rmSync(join(vault.folder, 'note.txt'));
    expect((await vault.changes.undo(id)).kind).toBe('conflict');
    await vault.changes.undo(id, { onConflict });
    expect(existsSync(join(vault.folder, 'note.txt')) ? textOf(vault, 'note.txt') : null).toBe(expected);
  });

  it.each([
    ['keep', 'edited\n'],
    ['both', 'edited\n'],
    ['replace', null],
  ] as const)('resolves a new file that was edited since: %s', async (onConflict, expected) => {
    const vault = await roomVault();
    const id = await write(vault, note, null, 'new\n');
    writeFileSync(join(vault.folder, 'note.txt'), 'edited\n');
    expect((await vault.changes.undo(id)).kind).toBe('conflict');
    await vault.changes.undo(id, { onConflict });
    expect(existsSync(join(vault.folder, 'note.txt')) ? textOf(vault, 'note.txt') : null).toBe(expected);
  });
});

describe('the commit of a change', () => {
  const git = ({ state }: RoomVault, ...args: string[]): string =>
    execFileSync('git', args, {
      env: { PATH: process.env['PATH'] ?? '', GIT_DIR: join(state, 'history.git') },
      encoding: 'utf8',
    });

  /** Creates a commit with the files of another one, as a child of `parent`. */
  const commitOn = (vault: RoomVault, parent: string | null, message: string, files = 'main'): string => {
    const author = ['-c', 'user.name=x', '-c', 'user.email=x'];
    const tree = git(vault, 'rev-parse', `${files}^{tree}`).trim();
    return git(
      vault,
      ...author,
      'commit-tree',
      tree,
      ...(parent === null ? [] : ['-p', parent]),
      '-m',
      message,
    ).trim();
  };

  it('is not found by text in the message of another change', async () => {
    const vault = await roomVault();
    const victim = await write(vault, note, null, 'victim\n');
    const forged = await vault.changes.writer.write(
      [change('vault/other.txt' as VaultPath, null, 'other\n')],
      why(`x\n\nKeepsake-Id: ${victim}`, `client\nKeepsake-Id: ${victim}`),
    );
    await vault.changes.record();
    expect(forged.kind).toBe('written');
    expect((await vault.changes.find(victim)?.changes())?.map(({ path }) => path)).toEqual([note]);
    const trailers = git(vault, 'log', '--format=%B').match(/^Keepsake-Id: .*$/gm);
    expect(trailers?.filter((line) => line.includes(victim))).toHaveLength(1);
    expect(vault.changes.list({ limit: 1 })[0]?.origin).toBe(`client Keepsake-Id: ${victim}`);
  });

  it('is found in a history without stored hashes, despite a similar and a forged commit', async () => {
    const vault = await roomVault();
    const ids = [await write(vault, note, null, 'one\n'), await write(vault, note, 'one\n', 'two\n')];
    await vault.changes.record();
    // Earlier versions wrote the name of a client like this.
    const forged = `other\n\nKeepsake-Update: 11111111-0000-4000-8000-000000000000\nKeepsake-Origin: x\nKeepsake-Origin: test\nKeepsake-Id: ${ids[0]}\n`;
    const commit = commitOn(vault, 'main', forged);
    git(vault, 'update-ref', 'refs/heads/main', commit);
    vault.durable.exec('update transactions set commit_hash = null');
    expect((await vault.changes.find(ids[0] ?? '')?.changes())?.map(({ kind }) => kind)).toEqual(['create']);
    expect((await vault.changes.find(ids[1] ?? '')?.changes())?.map(({ kind }) => kind)).toEqual(['replace']);
  });

  it('is found by its whole message in a history written by an earlier version', async () => {
    const vault = await roomVault();
    const first = await write(vault, note, null, 'one\n');
    await vault.changes.record();
    const second = await write(vault, note, 'one\n', 'two\n');
    await vault.changes.record();
    const [newer = '', older = ''] = git(vault, 'log', '--format=%H', '-2').split('\n');
    const messageOf = (id: string): string => `a change\n\nKeepsake-Update: ${id}\nKeepsake-Origin: test\n`;
    const begun = commitOn(vault, null, messageOf(first), older);
    const changed = commitOn(vault, begun, messageOf(second), newer);
    const forged = commitOn(vault, changed, `other\n\n${messageOf(first)}`, older);
    git(vault, 'update-ref', 'refs/heads/main', forged);
    git(vault, 'reflog', 'expire', '--expire=now', '--all');
    git(vault, 'gc', '--quiet', '--prune=now');
    vault.durable.exec('update transactions set commit_hash = null');
    expect((await vault.changes.find(first)?.changes())?.map(({ kind }) => kind)).toEqual(['create']);
    expect((await vault.changes.find(second)?.changes())?.map(({ kind }) => kind)).toEqual(['replace']);
    const { commit_hash: found } = vault.durable
      .prepare('select commit_hash from transactions where id = ?')
      .get(second) as { commit_hash: string };
    expect(found).toBe(changed);
  });
});

describe('damaged history', () => {
  const damages: Record<string, (history: string) => void> = {
    'an empty ref': (history) => truncateSync(join(history, 'refs/heads/main')),
    'a ref to a missing commit': (history) =>
      writeFileSync(join(history, 'refs/heads/main'), `${'0123456789'.repeat(4)}\n`),
    'no HEAD': (history) => rmSync(join(history, 'HEAD')),
    'an empty HEAD': (history) => truncateSync(join(history, 'HEAD')),
    'a damaged list of refs': (history) => writeFileSync(join(history, 'packed-refs'), 'garbage\n'),
    'a damaged configuration': (history) => writeFileSync(join(history, 'config'), '[core\n'),
  };

  it.each(Object.entries(damages))(
    'with %s is moved aside and recreated, and everything can be undone',
    async (_, damage) => {
      const vault = await roomVault();
      const history = join(vault.state, 'history.git');
      const first = await write(vault, note, null, 'one\n');
      await vault.changes.record();
      damage(history);
      expect(await vault.changes.find(first)?.changes()).toHaveLength(1);
      const second = await write(vault, note, 'one\n', 'two\n');
      await vault.changes.record();
      const look = await vault.changes.checkHistory();
      expect(look).toMatchObject({ exists: true, damage: null, problems: [] });
      expect(look.quarantined).toHaveLength(1);
      for (const id of [second, first]) expect((await vault.changes.undo(id)).kind).toBe('written');
      expect(existsSync(join(vault.folder, 'note.txt'))).toBe(false);
    },
  );

  it('without any object is reported when a lost change is undone, and later changes are kept', async () => {
    const vault = await roomVault();
    const history = join(vault.state, 'history.git');
    const lost = await write(vault, note, null, 'one\n');
    await vault.changes.record();
    const kept = await write(vault, note, 'one\n', 'two\n');
    for (const name of readdirSync(history)) rmSync(join(history, name), { recursive: true });
    expect((await vault.changes.checkHistory()).damage).not.toBeNull();
    await expect(vault.changes.undo(lost)).rejects.toThrow(/history no longer contains change/);
    expect((await vault.changes.undo(kept)).kind).toBe('written');
    await vault.changes.record();
    expect(await vault.changes.checkHistory()).toMatchObject({ damage: null, problems: [], recorded: 3 });
  });

  it('with one missing object is reported, and only changes that need it are lost', async () => {
    const vault = await roomVault();
    const ids = [await write(vault, note, null, 'one\n'), await write(vault, note, 'one\n', 'two\n')];
    await vault.changes.record();
    const blob = removeObject(vault, 'one\n');
    const { damage, problems } = await vault.changes.checkHistory();
    expect({ damage, isNamed: problems.join().includes(blob) }).toEqual({ damage: null, isNamed: true });
    for (const id of ids)
      await expect(vault.changes.undo(id)).rejects.toThrow(/history no longer contains change/);
    const third = await write(vault, note, 'two\n', 'three\n');
    await vault.changes.record();
    expect((await vault.changes.undo(third)).kind).toBe('written');
  });

  it('with an unreadable object that is needed again is moved aside', async () => {
    const vault = await roomVault();
    await write(vault, note, null, 'one\n');
    await vault.changes.record();
    const blob = execFileSync('git', ['hash-object', '--stdin'], { input: 'one\n', encoding: 'utf8' }).trim();
    const file = join(vault.state, 'history.git/objects', blob.slice(0, 2), blob.slice(2));
    rmSync(file);
    writeFileSync(file, '');
    const again = await write(vault, 'vault/other.txt' as VaultPath, null, 'one\n');
    await vault.changes.record();
    expect((await vault.changes.checkHistory()).quarantined).toHaveLength(1);
    expect(await vault.changes.find(again)?.changes()).toHaveLength(1);
  });

  it('that lacks one file of a change can still show the other files one by one', async () => {
    const vault = await roomVault();
    const other = 'vault/note.txt.old/other.txt' as VaultPath;
    const written = await vault.changes.writer.write(
      [change(note, null, 'one\n'), change(other, null, 'other\n')],
      why('two files'),
    );
    const found = vault.changes.find(written.kind === 'written' ? written.id : '');
    const alone = async (): Promise<string[] | undefined> =>
      (await found?.diffs(note))?.map(({ path, diff }) => `${path} ${diff.includes('+one')}`);
    expect(await alone()).toEqual(['vault/note.txt true']);
    await vault.changes.record();
    removeObject(vault, 'other\n');
    expect(await alone()).toEqual(['vault/note.txt true']);
    await expect(found?.diffs()).rejects.toThrow(/history no longer contains change/);
  });

  it('attributes a text to the user only if the change that wrote it can still be read', async () => {
    const vault = await roomVault();
    const texts = [null, 'one\n', 'two\n', 'three\n'];
    for (const [index, text] of texts.slice(1).entries())
      await vault.changes.writer.write([change(note, texts[index] ?? null, text ?? '')], {
        ...why('mine'),
        isUserAuthored: true,
      });
    await vault.changes.record();
    removeObject(vault, 'two\n');
    const isMine = (text: string): Promise<boolean> => vault.changes.isUserAuthored(note, Buffer.from(text));
    expect(await Promise.all(['one\n', 'two\n'].map(isMine))).toEqual([true, false]);
  });
});

function removeObject({ state }: RoomVault, content: string): string {
  const blob = execFileSync('git', ['hash-object', '--stdin'], { input: content, encoding: 'utf8' }).trim();
  rmSync(join(state, 'history.git/objects', blob.slice(0, 2), blob.slice(2)));
  return blob;
}
