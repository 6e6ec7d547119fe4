import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { changesDatabase, openWriter } from '../../../../test/changes-database.ts';
import { interceptCalls, real } from '../../../../test/intercepted-calls.ts';
import type { Intercept } from '../../../../test/intercepted-calls.ts';
import { missing } from '../../../../test/missing.ts';
import { roomVault } from '../../../../test/room-vault.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveRoot } from '../vault/open-path.ts';
import { parseVaultPath } from '../vault/path.ts';
import type { VaultPath } from '../vault/path.ts';
import { createFileChange } from './change.ts';
import type { FileChange } from './change.ts';

const calls = interceptCalls();
afterEach(() => void (calls.intercept = () => null));

const at = (text: string): VaultPath => (parseVaultPath(text) as { path: VaultPath }).path;
const why = { origin: 'test', summary: 'test' };
const before = 'one\ntwo\nthree\nfour\nfive\n';
const want = (from: string | null, to: string | null, path = 'note.md'): FileChange => {
  const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
  return createFileChange(at(path), bytes(from), bytes(to)) as FileChange;
};

/** A vault with one note; `restart` returns the writer of a later process. */
function setUp(elapsed?: () => number) {
  const folder = temporaryFolder();
  layOut(folder, { 'note.md': before });
  const database = changesDatabase();
  const root = resolveRoot(folder);
  const restart = () => {
    const { writer, ...opened } = openWriter(root, database, { elapsed });
    return { ...opened, ...writer };
  };
  const file = join(folder, 'note.md');
  return {
    file,
    folder,
    restart,
    database,
    writer: restart(),
    text: () => readFileSync(file, 'utf8'),
    names: () => readdirSync(folder).toSorted(),
  };
}

describe.skipIf(missing('paths of renamed files'))('late writes', () => {
  it('are added to the new version of the note, even after a restart', async () => {
    const { file, writer, restart, text, names } = setUp();
    const fd = openSync(file, 'a');
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    writeSync(fd, 'six\n');
    await writer.collectLateWrites();
    expect(text()).toBe(`${before.replace('one', 'ONE')}six\n`);
    writeSync(fd, 'seven\n');
    await writer.collectLateWrites();
    writeSync(fd, 'eight\n');
    const later = restart();
    await later.recover();
    writeSync(fd, 'nine\n');
    closeSync(fd);
    await later.collectLateWrites();
    expect(text()).toBe(`${before.replace('one', 'ONE')}six\nseven\neight\nnine\n`);
    expect(names()).toEqual(['note.md']);
    expect(later.replaced.isEmpty()).toBe(true);
  });

  it('are placed below the lines that Keepsake appended', async () => {
    const { file, writer, text, names } = setUp();
    const fd = openSync(file, 'a');
    await writer.write([want(before, `${before}ours`)], why);
    writeSync(fd, 'theirs\n');
    closeSync(fd);
    await writer.collectLateWrites();
    expect(text()).toBe(`${before}ours\ntheirs\n`);
    expect(names()).toEqual(['note.md']);
  });

  it('bring back a deleted note', async () => {
    const { file, writer, text, names } = setUp();
    const fd = openSync(file, 'a');
    await writer.write([want(before, null)], why);
    expect(names()).toEqual([expect.stringMatching(/^\.keepsake-/)]);
    writeSync(fd, 'six\n');
    closeSync(fd);
    await writer.collectLateWrites();
    expect(text()).toBe(`${before}six\n`);
    expect(names()).toEqual(['note.md']);
  });

  it('are collected by the next attempt after the disk was full', async () => {
    const { file, writer, text, names } = setUp();
    const fd = openSync(file, 'a');
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    writeSync(fd, 'six\n');
    closeSync(fd);
    calls.intercept = (name) => (name === 'fsyncSync' ? 'ENOSPC' : null);
    await expect(writer.collectLateWrites()).rejects.toThrow('ENOSPC');
    calls.intercept = () => null;
    await writer.collectLateWrites();
    expect(text()).toBe(`${before.replace('one', 'ONE')}six\n`);
    expect(names()).toEqual(['note.md']);
  });

  it('are collected for ten minutes where open files cannot be detected', async () => {
    calls.intercept = (name) => (name === 'fcntl' ? 'EINVAL' : null);
    const now = { at: 0 };
    const { file, writer, text, names } = setUp(() => now.at);
    const fd = openSync(file, 'a');
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    now.at = 9 * 60_000;
    await writer.collectLateWrites();
    writeSync(fd, 'six\n');
    closeSync(fd);
    await writer.collectLateWrites();
    expect(text()).toBe(`${before.replace('one', 'ONE')}six\n`);
    expect(writer.replaced.isEmpty()).toBe(false);
    now.at = 20 * 60_000 + 1;
    await writer.collectLateWrites();
    expect(writer.replaced.isEmpty()).toBe(true);
    expect(names()).toEqual(['note.md']);
  });

  it('are recovered after the change was rolled back, and do not block other changes', async () => {
    const { file, folder, writer, restart, text, names } = setUp();
    layOut(folder, { 'other.md': 'other\n' });
    const fd = openSync(file, 'a');
    const onFile = (done: number): void => {
      if (done === 1) writeFileSync(join(folder, 'other.md'), 'a person was faster\n');
    };
    const both = [want(before, before.replace('one', 'ONE')), want('other\n', 'ours\n', 'other.md')];
    expect((await writer.write(both, { ...why, onFile })).kind).toBe('conflict');
    expect(text()).toBe(before);
    expect(writer.journal.listIncomplete()).toEqual([]);
    expect((await writer.write([want(null, 'new\n', 'new.md')], why)).kind).toBe('written');
    writeSync(fd, 'six\n');
    await restart().recover();
    expect(text()).toBe(`${before}six\n`);
    closeSync(fd);
    await writer.collectLateWrites();
    expect(names()).toEqual(['new.md', 'note.md', 'other.md']);
  });

  it('are collected automatically after the change was rolled back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { file, folder, writer, text } = setUp();
    layOut(folder, { 'other.md': 'other\n' });
    const fd = openSync(file, 'a');
    const onFile = (): void => writeFileSync(join(folder, 'other.md'), 'a person was faster\n');
    const both = [want(before, before.replace('one', 'ONE')), want('other\n', 'ours\n', 'other.md')];
    await writer.write(both, { ...why, onFile });
    writeSync(fd, 'six\n');
    closeSync(fd);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(text()).toBe(`${before}six\n`);
  });

  it('are inserted below conflicting lines of Keepsake and preserve a save of another program', async () => {
    const { file, writer, text } = setUp();
    const fd = openSync(file, 'r+');
    await writer.write([want(before, before.replace('two', 'ours'))], why);
    const saved = before.replace('two', 'ours').replace('five', 'a person');
    writeFileSync(`${file}~`, saved);
    renameSync(`${file}~`, file);
    writeSync(fd, before.replace('two', 'THE'), 0);
    closeSync(fd);
    await writer.collectLateWrites();
    expect(text()).toBe(saved.replace('ours', 'ours\nTHE'));
  });

  it('replace the version of Keepsake if the content is not text; history keeps both versions', async () => {
    const { file, folder, writer, names } = setUp();
    const [old, ours, theirs] = [Buffer.from([0, 1]), Buffer.from([0, 2]), Buffer.from([0, 3])];
    writeFileSync(file, old);
    const fd = openSync(file, 'r+');
    await writer.write([createFileChange(at('note.md'), old, ours) as FileChange], why);
    writeSync(fd, theirs, 0, 2, 0);
    closeSync(fd);
    await writer.collectLateWrites();
    expect(readFileSync(join(folder, 'note.md'))).toEqual(theirs);
    const [newest] = writer.journal.list({ limit: 1 });
    expect(writer.journal.changesOf(newest?.id ?? '')).toMatchObject([{ before: ours, after: theirs }]);
    expect(names()).toEqual(['note.md']);
  });

  it('are journaled before they are added to the note, and recovered after a crash', async () => {
    const { file, writer, restart, text, names } = setUp();
    const fd = openSync(file, 'a');
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    writeSync(fd, 'six\n');
    closeSync(fd);
    // Simulates a crash while the note is out of its place.
    let hasEnded = false;
    calls.intercept = (name) => {
      if (name === 'renameat2') return 'EINVAL';
      if (name === 'linkSync') hasEnded = true;
      return hasEnded ? 'EIO' : null;
    };
    await expect(writer.collectLateWrites()).rejects.toThrow('EIO');
    expect(names()).not.toContain('note.md');
    calls.intercept = () => null;
    const later = restart();
    await later.recover();
    expect(text()).toBe(`${before.replace('one', 'ONE')}six\n`);
    expect(names()).toEqual(['note.md']);
    expect(later.journal.list({ limit: 1 })).toMatchObject([
      { origin: 'look-back', summary: expect.stringContaining('vault/note.md'), state: 'applied' },
    ]);
  });

  it('are merged later when another program saves at the same time', async () => {
    const { file, writer, text } = setUp();
    const fd = openSync(file, 'r+');
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    writeSync(fd, before.replace('five', 'FIVE'), 0);
    closeSync(fd);
    let hasSaved = false;
    calls.intercept = (name) => {
      if (name === 'renameat2' && !hasSaved) {
        hasSaved = true;
        real.writeFileSync(`${file}~`, before.replace('five', 'a person'));
        real.renameSync(`${file}~`, file);
      }
      return null;
    };
    await writer.collectLateWrites();
    expect(text()).toBe(before.replace('five', 'a person'));
    await writer.collectLateWrites();
    expect(text()).toBe(before.replace('five', 'a person\nFIVE'));
  });

  it('are collected even when another replaced file is unreachable', async () => {
    const { file, folder, writer, restart, text } = setUp();
    layOut(folder, { 'a/note.md': before });
    const [other, fd] = [openSync(join(folder, 'a/note.md'), 'a'), openSync(file, 'a')];
    const after = before.replace('one', 'ONE');
    await writer.write([want(before, after, 'a/note.md'), want(before, after)], why);
    const elsewhere = join(temporaryFolder(), 'elsewhere');
    renameSync(join(folder, 'a'), elsewhere);
    symlinkSync(elsewhere, join(folder, 'a'));
    writeSync(other, 'seven\n');
    writeSync(fd, 'six\n');
    await expect(writer.collectLateWrites()).rejects.toThrow('symbolic links are not followed');
    expect(text()).toBe(`${after}six\n`);
    writeSync(fd, 'eight\n');
    const later = restart();
    await later.recover();
    expect(text()).toBe(`${after}six\neight\n`);
    unlinkSync(join(folder, 'a'));
    renameSync(elsewhere, join(folder, 'a'));
    for (const each of [other, fd]) closeSync(each);
    await later.collectLateWrites();
    expect(readFileSync(join(folder, 'a/note.md'), 'utf8')).toBe(`${after}seven\n`);
    expect(later.replaced.isEmpty()).toBe(true);
  });

  it.each([
    ['is moved', () => Promise.resolve()],
    ['is moved and another process starts', (other: { recover: () => Promise<void> }) => other.recover()],
  ])('are collected when the folder of the note %s, and no hidden file remains', async (_, meanwhile) => {
    const { folder, writer, restart } = setUp();
    layOut(folder, { 'a/note.md': before });
    const fd = openSync(join(folder, 'a/note.md'), 'a');
    await writer.write([want(before, before.replace('one', 'ONE'), 'a/note.md')], why);
    renameSync(join(folder, 'a'), join(folder, 'moved'));
    await meanwhile(restart());
    await writer.collectLateWrites();
    writeSync(fd, 'six\n');
    closeSync(fd);
    await writer.collectLateWrites();
    expect(readFileSync(join(folder, 'a/note.md'), 'utf8')).toBe(`${before}six\n`);
    expect(readdirSync(join(folder, 'moved'))).toEqual(['note.md']);
    expect(writer.replaced.isEmpty()).toBe(true);
  });

  it('are not lost when another process checks for them while the file is being renamed', async () => {
    const { file, writer, restart, text } = setUp();
    const [fd, other] = [openSync(file, 'a'), restart()];
    calls.intercept = (name, args) => {
      if (name === 'renameSync' && String(args[1]).endsWith('.tmp')) other.replaced.hasLateWrites();
      return null;
    };
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    calls.intercept = () => null;
    writeSync(fd, 'six\n');
    closeSync(fd);
    await other.collectLateWrites();
    expect(text()).toBe(`${before.replace('one', 'ONE')}six\n`);
  });

  it('are not lost when the disk fails while the file is being renamed', async () => {
    const { file, writer, text, names } = setUp();
    const fd = openSync(file, 'a');
    let hasMoved = false;
    calls.intercept = (name, args) => {
      if (name === 'fsyncSync' && hasMoved) return 'EIO';
      if (name === 'renameSync' && String(args[1]).endsWith('.tmp')) hasMoved = true;
      return null;
    };
    await expect(writer.write([want(before, before.replace('one', 'ONE'))], why)).rejects.toThrow('EIO');
    calls.intercept = () => null;
    writeSync(fd, 'six\n');
    closeSync(fd);
    await writer.recover();
    await writer.collectLateWrites();
    expect(text()).toContain('five\nsix\n');
    expect(names()).toEqual(['note.md']);
  });

  it('are detected by file times; the replaced file is read only if its times have changed', async () => {
    const { file, writer } = setUp();
    const fd = openSync(file, 'a');
    onTestFinished(() => closeSync(fd));
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    await writer.collectLateWrites();
    let reads = 0;
    calls.intercept = (name) => {
      if (name === 'readSync') reads += 1;
      return null;
    };
    await writer.collectLateWrites();
    expect(reads).toBe(0);
    writeSync(fd, 'six\n');
    await writer.collectLateWrites();
    expect(reads).toBeGreaterThan(0);
  });

  it('are collected less often when collecting them is slow', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { file, writer, text } = setUp();
    const fd = openSync(file, 'a');
    onTestFinished(() => closeSync(fd));
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    writeSync(fd, 'six\n');
    calls.intercept = (name) => {
      if (name === 'renameat2') vi.advanceTimersByTime(500);
      return null;
    };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(text()).toContain('six\n');
    writeSync(fd, 'seven\n');
    await vi.advanceTimersByTimeAsync(9_000);
    expect(text()).not.toContain('seven\n');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(text()).toContain('seven\n');
  });

  it.skipIf(missing('Linux'))('leak no descriptor when their file cannot be recorded', async () => {
    const { file, writer, database, text, names } = setUp();
    const fd = openSync(file, 'a');
    onTestFinished(() => closeSync(fd));
    database.exec(
      `create trigger full before insert on replaced_files begin select raise(abort, 'full'); end`,
    );
    const openFiles = (): number => readdirSync('/proc/self/fd').length;
    const opened = openFiles();
    const changed = want(before, before.replace('one', 'ONE'));
    await expect(writer.write([changed], why)).rejects.toThrow(
      'Keepsake finishes the change as soon as it can write again',
    );
    expect(openFiles()).toBe(opened);
    database.exec('drop trigger full');
    writeSync(fd, 'six\n');
    await writer.recover();
    await writer.collectLateWrites();
    expect(text()).toContain('six\n');
    expect(names().filter((name) => !name.startsWith('.'))).toEqual(['note.md']);
  });
});

/** Simulates a save, as vim and VS Code do it, right before the first call with this name. */
function savingBefore(first: string, file: string, failing: Intercept): void {
  let hasSaved = false;
  calls.intercept = (name, args) => {
    if (name === first && !hasSaved) {
      hasSaved = true;
      real.writeFileSync(`${file}~`, 'saved meanwhile\n');
      real.renameSync(`${file}~`, file);
    }
    return hasSaved ? failing(name, args) : null;
  };
}

// Windows refuses to rename a file over one that is open.
describe.skipIf(missing('POSIX'))('a save at the moment of a deletion', () => {
  it.each(['EPERM', 'ENOSPC', 'EIO'])('survives when hard links fail with %s', async (code) => {
    const { file, writer, text, names } = setUp();
    savingBefore('renameSync', file, (name) => (name === 'linkSync' ? code : null));
    expect((await writer.write([want(before, null)], why)).kind).toBe('conflict');
    expect(text()).toBe('saved meanwhile\n');
    expect(names()).toEqual(['note.md']);
  });

  it('is named in the error when it cannot be moved back, and restored by the next recovery', async () => {
    const { file, folder, writer, text, names } = setUp();
    let renames = 0;
    savingBefore('renameSync', file, (name) => {
      if (name === 'renameSync') renames += 1;
      const isPutting = name === 'renameSync' && renames > 1;
      return isPutting || name === 'linkSync' || name === 'renameat2' ? 'EIO' : null;
    });
    const refused = await writer.write([want(before, null)], why).then(JSON.stringify, String);
    calls.intercept = () => null;
    const [, name = ''] =
      /text that was saved there in the meantime is in vault\/([^\s",]+)/.exec(refused) ?? [];
    expect(readFileSync(join(folder, name), 'utf8')).toBe('saved meanwhile\n');
    await writer.recover();
    expect(text()).toBe('saved meanwhile\n');
    expect(names()).toEqual(['note.md']);
  });
});

describe.each([
  ['hard links', (name: string) => (name === 'linkSync' ? 'EPERM' : null)],
  [
    'hard links and atomic exchange',
    (name: string) => ({ linkSync: 'EPERM', renameat2: 'EINVAL' })[name] ?? null,
  ],
])('Keepsake without %s', (_, errorOf) => {
  it('creates, changes, moves, deletes and restores notes', async () => {
    calls.intercept = (name) => errorOf(name);
    const { folder, changes, callTool } = await roomVault({ 'old.md': before });
    const call = async (tool: string, input: unknown): Promise<void> => {
      const { kind } = await callTool({ tool, input, reader: 'person', origin: 'test', run: 'one' });
      expect(kind).toBe('result');
    };
    const notes = (): string[] =>
      readdirSync(folder)
        .filter((name) => name !== '.keepsake')
        .toSorted();
    await call('write', { path: 'new.md', content: 'new\n' });
    await call('append', { path: 'old.md', content: 'six', position: 'bottom' });
    await call('move', { from: 'new.md', to: 'moved.md' });
    expect(notes()).toEqual(['moved.md', 'old.md']);
    await call('delete', { path: 'old.md' });
    expect(notes()).toEqual(['moved.md']);
    const [newest] = changes.list({ limit: 1 });
    expect((await changes.undo(newest?.id ?? '')).kind).toBe('written');
    expect(notes()).toEqual(['moved.md', 'old.md']);
    expect(readFileSync(join(folder, 'old.md'), 'utf8')).toContain('six');
  });

  it.skipIf(missing('POSIX'))('merges a save at the moment of a change', async () => {
    const { file, writer, text, names } = setUp();
    let hasSaved = false;
    calls.intercept = (name) => {
      if (name === 'renameat2' && !hasSaved) {
        hasSaved = true;
        writeFileSync(`${file}~`, before.replace('five', 'FIVE'));
        renameSync(`${file}~`, file);
      }
      return errorOf(name);
    };
    await writer.write([want(before, before.replace('one', 'ONE'))], why);
    expect(text()).toBe(before.replace('one', 'ONE').replace('five', 'FIVE'));
    expect(names()).toEqual(['note.md']);
  });

  it('does not overwrite a note that another program has just created', async () => {
    const { folder, writer, names } = setUp();
    calls.intercept = (name) => {
      if (name === 'linkSync') appendFileSync(join(folder, 'new.md'), 'a person was faster\n');
      return errorOf(name);
    };
    expect((await writer.write([want(null, 'ours\n', 'new.md')], why)).kind).toBe('conflict');
    expect(readFileSync(join(folder, 'new.md'), 'utf8')).toBe('a person was faster\n');
    expect(names()).toEqual(['new.md', 'note.md']);
  });
});

describe('a crash during a non-atomic exchange of files', () => {
  const id = '00000000-cccc';
  const [aside, after] = [`.keepsake-${id}-0.tmp`, before.replace('one', 'ONE')];

  it.each([
    ['while the note was missing', { [aside]: after, [`${aside}.old`]: before }],
    ['after the new note was in place', { 'note.md': after, [`${aside}.old`]: before }],
    ['before the old note was removed', { 'note.md': after, [aside]: before }],
  ])('%s is recovered', async (_, files) => {
    const { file, folder, writer, text, names } = setUp();
    await writer.journal.append({ id, at: 1, ...why, state: 'applying' }, [want(before, after)]);
    renameSync(file, join(temporaryFolder(), 'away'));
    layOut(folder, files);
    await writer.recover();
    expect(text()).toBe(after);
    expect(names()).toEqual(['note.md']);
  });

  it('loses no save that happened during a rollback', async () => {
    const { file, folder, writer, text, names } = setUp();
    await writer.journal.append({ id, at: 1, ...why, state: 'applying' }, [want(before, after)]);
    layOut(folder, { [`.keepsake-${id}-0-back.tmp`]: 'saved meanwhile\n' });
    expect(readFileSync(file, 'utf8')).toBe(before);
    await writer.recover();
    expect(text()).toBe('saved meanwhile\n');
    expect(names()).toEqual(['note.md']);
  });
});
