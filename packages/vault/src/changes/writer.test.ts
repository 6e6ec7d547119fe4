import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesDatabase, openWriter } from '../../../../test/changes-database.ts';
import { missing } from '../../../../test/missing.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { VaultError } from '../vault/vault-error.ts';
import { resolveRoot } from '../vault/open-path.ts';
import { parseVaultPath } from '../vault/path.ts';
import type { VaultPath } from '../vault/path.ts';
import { createFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import type { Journal } from './journal.ts';
import type { Writer } from './writer.ts';

const at = (text: string): VaultPath => (parseVaultPath(text) as { path: VaultPath }).path;
const why = { origin: 'test', summary: 'test' };
const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const before = `${lines.join('\n')}\n`;
const want = (path: string, from: string | null, to: string | null): FileChange => {
  const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
  const change = createFileChange(at(path), bytes(from), bytes(to));
  if (change === null) throw new Error(`${path} is a file on neither side`);
  return change;
};

/** A writer whose lock runs a callback right before a change, at the n-th check. */
function setUp(
  atCheck: { number: number; act: (folder: string) => void; afterwards?: () => void } = {
    number: 0,
    act: () => undefined,
  },
): { folder: string; writer: Writer; journal: Journal } {
  const folder = temporaryFolder();
  layOut(folder, { 'first.md': 'first\n', 'note.md': before });
  let checks = 0;
  const check = (): void => {
    checks += 1;
    if (checks === atCheck.number) atCheck.act(folder);
    else if (checks > atCheck.number) atCheck.afterwards?.();
  };
  const { journal, writer } = openWriter(resolveRoot(folder), changesDatabase(), { check });
  return { folder, journal, writer };
}

const saves: Record<string, (file: string, text: string) => void> = {
  'by renaming': (file, text) => {
    writeFileSync(`${file}~`, text);
    renameSync(`${file}~`, file);
  },
  'in place': (file, text) => {
    const fd = openSync(file, 'r+');
    writeSync(fd, text, 0);
    closeSync(fd);
  },
  truncating: (file, text) => writeFileSync(file, text),
  'with the same size and times': (file, text) => {
    const { atime, mtime } = statSync(file);
    writeFileSync(file, text);
    utimesSync(file, atime, mtime);
  },
};

describe.each(Object.entries(saves))('a save %s right before the change', (_, save) => {
  const theirs = before.replace('line 10', 'LINE 10');

  it('is merged when it changes other lines', async () => {
    const { folder, writer } = setUp({ number: 2, act: (root) => save(join(root, 'note.md'), theirs) });
    const written = await writer.write([want('note.md', before, before.replace('line 2\n', 'agent\n'))], why);
    expect(written.kind).toBe('written');
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(theirs.replace('line 2\n', 'agent\n'));
    expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'note.md']);
  });

  it('rolls back the whole transaction when it changes the same lines', async () => {
    const { folder, writer, journal } = setUp({
      number: 3,
      act: (root) => save(join(root, 'note.md'), theirs),
    });
    const changes = [
      want('first.md', 'first\n', 'agent\n'),
      want('note.md', before, before.replace('line 10', 'agent')),
    ];
    const written = await writer.write(changes, why);
    expect(written).toMatchObject({
      kind: 'conflict',
      files: [{ path: 'vault/note.md', conflicts: [{ firstLine: 10, current: ['LINE 10\n'] }] }],
    });
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(theirs);
    expect(readFileSync(join(folder, 'first.md'), 'utf8')).toBe('first\n');
    expect(journal.listIncomplete()).toEqual([]);
    expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'note.md']);
  });
});

describe('an append', () => {
  const [text, after] = ['same line', `${before}\nsame line\n`];
  const change = {
    ...want('note.md', before, after),
    additions: [
      {
        before: Buffer.from(before),
        after: Buffer.from(after),
        additions: [{ text, position: 'bottom' as const, isLog: false }],
      },
    ],
  };

  it.each(Object.entries(saves).slice(0, 3))(
    'is applied on top of a save %s right before the change, even if both add the same line',
    async (_, save) => {
      const { folder, writer } = setUp({ number: 2, act: (root) => save(join(root, 'note.md'), after) });
      expect((await writer.write([change], why)).kind).toBe('written');
      expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(`${after}\nsame line\n`);
      expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'note.md']);
    },
  );

  it.each([
    ['before the file was written', before],
    ['after the file was written', after],
  ])('is applied once when a crash came %s', async (_, present) => {
    const { folder, writer, journal } = setUp();
    writeFileSync(join(folder, 'note.md'), present);
    await journal.append({ id: '00000000-cccc', at: 1, ...why, state: 'applying' }, [change]);
    await writer.recover();
    await writer.recover();
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(after);
    await expect(writer.write([change], { ...why, id: '00000000-cccc' })).rejects.toMatchObject({
      code: 'made-already',
    });
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(after);
  });
});

describe('a replaced file', () => {
  it.skipIf(missing('POSIX'))('keeps its permissions', async () => {
    const { folder, writer } = setUp();
    chmodSync(join(folder, 'note.md'), 0o600);
    await writer.write([want('note.md', before, 'agent\n')], why);
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe('agent\n');
    expect(statSync(join(folder, 'note.md')).mode & 0o777).toBe(0o600);
  });
});

describe.skipIf(missing('POSIX'))('permissions', () => {
  it('are kept when a file is moved, or deleted and restored', async () => {
    const { folder, writer, journal } = setUp();
    const mode = (name: string): number => statSync(join(folder, name)).mode & 0o777;
    chmodSync(join(folder, 'note.md'), 0o600);
    await writer.write([want('moved.md', null, before), want('note.md', before, null)], why);
    expect(mode('moved.md')).toBe(0o600);
    const gone = await writer.write([want('moved.md', before, null)], why);
    const id = gone.kind === 'written' ? gone.id : '';
    expect(journal.modesOf(id)).toEqual(new Map([[at('moved.md'), 0o600]]));
    await writer.write([{ ...want('moved.md', null, before), mode: 0o600 }], why);
    expect(mode('moved.md')).toBe(0o600);
  });

  it('are kept when recovery finishes a move', async () => {
    const { folder, writer, journal } = setUp();
    const id = '00000000-bbbb';
    await journal.append({ id, at: 1, ...why, state: 'applying' }, [
      { ...want('moved.md', null, before), mode: 0o600 },
      want('note.md', before, null),
    ]);
    await writer.recover();
    expect(statSync(join(folder, 'moved.md')).mode & 0o777).toBe(0o600);
  });
});

describe('text that an editor writes to the replaced file after the change', () => {
  const openNote = (folder: string): number => openSync(join(folder, 'note.md'), 'r+');
  const save = (fd: number, text: string): void => {
    writeSync(fd, text, 0);
    closeSync(fd);
  };

  it('is merged when late writes are collected', async () => {
    const { folder, writer } = setUp();
    const fd = openNote(folder);
    await writer.write([want('note.md', before, before.replace('line 2\n', 'agent\n'))], why);
    save(fd, before.replace('line 10', 'LINE 10'));
    await writer.collectLateWrites();
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(
      before.replace('line 10', 'LINE 10').replace('line 2\n', 'agent\n'),
    );
  });

  it('is inserted below the lines of the change when both changed the same lines', async () => {
    const { folder, writer } = setUp();
    const fd = openNote(folder);
    await writer.write([want('note.md', before, before.replace('line 10', 'AGENT 1'))], why);
    save(fd, before.replace('line 10', 'LINE 10'));
    await writer.collectLateWrites();
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(before.replace('line 10', 'AGENT 1\nLINE 10'));
  });
});

describe('recovery', () => {
  const entry = { id: '00000000-aaaa', at: 1, ...why, state: 'applying' as const };
  const changes = [
    want('first.md', 'first\n', 'second\n'),
    want('new.md', null, 'new\n'),
    want('note.md', before, null),
  ];

  it('finishes a journaled change from any point and removes temporary files', async () => {
    for (let done = 0; done <= 3; done += 1) {
      const { folder, writer, journal } = setUp();
      await journal.append(entry, changes);
      if (done > 0) writeFileSync(join(folder, 'first.md'), 'second\n');
      if (done > 1) writeFileSync(join(folder, 'new.md'), 'new\n');
      if (done === 0) writeFileSync(join(folder, `.keepsake-${entry.id}-0.tmp`), 'torn');
      if (done === 1) writeFileSync(join(folder, `.keepsake-${entry.id}-0.tmp`), 'first\n');
      await writer.recover();
      expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'new.md']);
      expect(readFileSync(join(folder, 'first.md'), 'utf8')).toBe('second\n');
      expect(journal.find(entry.id)?.state).toBe('applied');
    }
  });

  it('removes temporary files of the last change that a power loss brought back', async () => {
    const { folder, writer } = setUp();
    const edit = want('note.md', before, before.replace('line 2\n', 'agent\n'));
    const written = await writer.write([want('first.md', 'first\n', 'second\n'), edit], why);
    const id = written.kind === 'written' ? written.id : '';
    writeFileSync(join(folder, `.keepsake-${id}-1.tmp`), before);
    await writer.recover();
    expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'note.md']);
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toContain('agent\n');
  });

  it('restores and merges a save that happened at the moment of the crash', async () => {
    const { folder, writer, journal } = setUp();
    await journal.append(entry, [want('note.md', before, before.replace('line 2\n', 'agent\n'))]);
    const theirs = before.replace('line 10', 'LINE 10');
    writeFileSync(join(folder, 'note.md'), before.replace('line 2\n', 'agent\n'));
    writeFileSync(join(folder, `.keepsake-${entry.id}-0.tmp`), theirs);
    await writer.recover();
    const text = readFileSync(join(folder, 'note.md'), 'utf8');
    expect(text).toContain('LINE 10\n');
    expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'note.md']);
  });

  it('restores a save that happened at the moment of a deletion', async () => {
    const { folder, writer, journal } = setUp();
    await journal.append(entry, [want('note.md', before, null)]);
    renameSync(join(folder, 'note.md'), join(folder, `.keepsake-${entry.id}-0.tmp`));
    writeFileSync(join(folder, `.keepsake-${entry.id}-0.tmp`), 'saved meanwhile\n');
    await writer.recover();
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe('saved meanwhile\n');
    expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'note.md']);
  });

  it('rolls back a change when another program has created its file', async () => {
    const { folder, writer, journal } = setUp();
    await journal.append(entry, changes);
    writeFileSync(join(folder, 'new.md'), 'a person was faster\n');
    await writer.recover();
    expect(readFileSync(join(folder, 'first.md'), 'utf8')).toBe('first\n');
    expect(readFileSync(join(folder, 'new.md'), 'utf8')).toBe('a person was faster\n');
    expect(journal.find(entry.id)?.state).toBe('reverted');
  });

  it('rolls back a change when its file was rewritten', async () => {
    const { folder, writer, journal } = setUp();
    await journal.append(entry, [want('note.md', before, before.replace('line 2', 'agent'))]);
    writeFileSync(join(folder, 'note.md'), 'all of it rewritten\n');
    await writer.recover();
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe('all of it rewritten\n');
    expect(journal.find(entry.id)?.state).toBe('reverted');
  });

  it('leaves an applied and later edited file alone when only the journal state was lost', async () => {
    const { folder, writer, journal } = setUp();
    await journal.append(entry, [
      want('first.md', 'first\n', 'second\n'),
      want('note.md', before, 'agent\n'),
    ]);
    writeFileSync(join(folder, 'first.md'), 'second\n');
    writeFileSync(join(folder, 'note.md'), 'a person, later\n');
    await writer.recover();
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe('a person, later\n');
    expect(readFileSync(join(folder, 'first.md'), 'utf8')).toBe('second\n');
    expect(journal.find(entry.id)?.state).toBe('applied');
  });
});

describe('a process that was suspended during a change while another one took over', () => {
  const after = before.replace('line 2\n', 'agent\n');
  const lost = (): never => {
    throw new VaultError('lost-lock', 'another process took over');
  };
  /** Simulates the other process finishing the change. */
  const complete = (folder: string): void => {
    for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(join(folder, name));
    writeFileSync(join(folder, 'note.md'), after);
  };

  it('writes nothing and leaves no file behind when it notices the takeover before the change', async () => {
    const { folder, writer } = setUp({ number: 3, act: lost });
    await expect(writer.write([want('note.md', before, after)], why)).rejects.toMatchObject({
      code: 'lost-lock',
    });
    expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'note.md']);
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(before);
  });

  it('rolls nothing back and leaves no file behind when it notices the takeover only because the change fails', async () => {
    const { folder, writer } = setUp({ number: 3, act: complete, afterwards: lost });
    await expect(writer.write([want('note.md', before, after)], why)).rejects.toMatchObject({
      code: 'lost-lock',
    });
    expect(readdirSync(folder).toSorted()).toEqual(['first.md', 'note.md']);
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe(after);
  });
});

it('the journal keeps the state of an applied change when the next change cannot be appended', async () => {
  const { journal } = setUp();
  const entry = { id: 'a', at: 1, ...why, state: 'applying' } as const;
  await journal.append(entry, [want('note.md', before, 'after\n')]);
  journal.setStateLazily('a', 'applied');
  await expect(journal.append(entry, [])).rejects.toThrow('UNIQUE');
  journal.flush();
  expect(journal.listIncomplete()).toEqual([]);
});
