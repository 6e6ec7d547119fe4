import { describe, expect, it } from 'vitest';
// The journal is behind the door of its room; every driver of it, wherever it lies, passes this suite.
import type { Change } from './change.ts';
import type { Journal } from './journal.ts';
import type { Begun } from './transaction-store.ts';
import { revisionOf } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { reasonFor } from '../contract/index.ts';

export type JournalUnderTest = {
  journal: Journal;
  /** The same journal, as a process finds it that opens it now. */
  reopen: () => Promise<Journal>;
};

const path = (name: string): VaultPath => `vault/${name}` as VaultPath;
const create = (name: string, text: string): Change => ({
  kind: 'create',
  path: path(name),
  after: Buffer.from(text),
  mode: null,
});
const replace = (name: string, before: string, after: string): Change => ({
  kind: 'replace',
  path: path(name),
  before: Buffer.from(before),
  after: Buffer.from(after),
  mode: 0o600,
});
const entry = (id: string, more: Partial<Begun> = {}): Begun => ({
  id,
  at: 1_000,
  origin: 'test',
  summary: `of ${id}`,
  state: 'applying',
  ...more,
});
const held = (id: string): Begun =>
  entry(id, { state: 'held', heldBecause: reasonFor('deletes-files', { count: 12 }) });

/** What every driver of the journal has to hold. */
export function journalContract(name: string, setUp: () => Promise<JournalUnderTest>): void {
  describe(`${name}: what is begun`, () => {
    it('is found by the beginning of its id in any case, when no other begins so', async () => {
      const { journal } = await setUp();
      const [lower, upper] = ['0f8fad5b-d9cb-469f-a165-70867728950e', 'ABCDEF01-D9CB-469F-A165-70867728950E'];
      for (const id of [lower, upper, '0f8fad60-d9cb', 'abcd-chosen by a caller'])
        await journal.begin(entry(id), [create(`${id}.md`, 'x')]);
      for (const id of [lower, lower.slice(0, 8), lower.slice(0, 8).toUpperCase()])
        expect(journal.find(id)?.id).toBe(lower);
      for (const id of [upper, upper.slice(0, 8), upper.slice(0, 8).toLowerCase()])
        expect(journal.find(id)?.id).toBe(upper);
      expect(journal.find('abcd-c')?.id).toBe('abcd-chosen by a caller');
      for (const id of ['0f8fad', 'abcd', '0f8', '%%%%', `${lower}0`])
        expect(journal.find(id)).toBeUndefined();
    });

    it('is there for whoever opens it next, byte for byte, with the folders last', async () => {
      const { journal, reopen } = await setUp();
      const changes: Change[] = [
        create('new/a.bin', '\u0000\u00ff'),
        replace('b.md', 'before\n', 'after\n'),
        { kind: 'remove', path: path('c.md'), before: Buffer.from('gone\n'), mode: 0o644 },
        { kind: 'remove-folder', path: path('old') },
        { kind: 'make-folder', path: path('new') },
      ];
      await journal.begin(entry('a'), changes);
      const next = await reopen();
      expect(next.unfinished()).toEqual([
        { id: 'a', at: 1_000, origin: 'test', summary: 'of a', state: 'applying' },
      ]);
      expect(next.changesOf('a')).toEqual(changes);
      expect(next.changesOf('a', path('b.md'))).toEqual([changes[1]]);
      expect(next.foldersOf('a')).toEqual([path('new')]);
      expect(next.find('a')?.summary).toBe('of a');
    });

    it('is refused when the id is taken, unless that one was reverted', async () => {
      const { journal, reopen } = await setUp();
      await journal.begin(entry('a'), [create('a.md', 'a')]);
      await expect(journal.begin(entry('a'), [create('a.md', 'b')])).rejects.toThrow('UNIQUE');
      expect(journal.changesOf('a')).toEqual([create('a.md', 'a')]);
      journal.mark('a', 'reverted');
      await journal.begin(entry('a'), [create('a.md', 'c')]);
      expect((await reopen()).changesOf('a')).toEqual([create('a.md', 'c')]);
    });

    it('comes back in the order in which it was begun', async () => {
      const { journal, reopen } = await setUp();
      const ids = ['c', 'a', 'b'];
      for (const id of ids) await journal.begin(entry(id), [create(`${id}.md`, id)]);
      expect((await reopen()).unfinished().map(({ id }) => id)).toEqual(ids);
      for (const id of ids) journal.markLater(id, 'applied');
      expect(journal.unfinished()).toEqual([]);
      expect(journal.unrecorded(9).map(({ id }) => id)).toEqual(ids);
      expect([journal.count(), journal.latest()?.id]).toEqual([3, 'b']);
    });

    it('is kept in the order in which it was handed over, when several are at once', async () => {
      const { journal, reopen } = await setUp();
      const ids = Array.from({ length: 20 }, (_, number) => `n${number}`);
      await Promise.all(ids.map((id) => journal.begin(held(id), [create(`${id}.md`, id)])));
      const listed = (await reopen()).list({ limit: 99 }).map(({ id }) => id);
      expect(listed.toReversed()).toEqual(ids);
    });
  });

  describe(`${name}: what is held`, () => {
    it('is decided once, and stays so', async () => {
      const { journal, reopen } = await setUp();
      await journal.begin(held('a'), [create('a.md', 'a')]);
      expect(journal.isHeld('a')).toBe(true);
      expect(await journal.decide('a', 'rejected')).toBe(true);
      expect(await journal.decide('a', 'approved')).toBe(false);
      expect((await reopen()).find('a')?.state).toBe('rejected');
      await expect(journal.begin(entry('b', { approves: 'a' }), [create('a.md', 'a')])).rejects.toThrow(
        'approved or rejected already',
      );
    });

    it('is made once, and no longer held from that moment, whatever becomes of the note of it', async () => {
      const { journal, reopen } = await setUp();
      await journal.begin(held('a'), [create('a.md', 'a')]);
      await journal.begin(entry('b', { approves: 'a' }), [create('a.md', 'a')]);
      await expect(journal.begin(entry('c', { approves: 'a' }), [create('a.md', 'a')])).rejects.toThrow(
        'approved or rejected already',
      );
      const next = await reopen();
      expect([next.isHeld('a'), next.madeFor('a')]).toEqual([false, 'b']);
      expect(await next.decide('a', 'rejected')).toBe(false);
      expect(await next.decide('a', 'approved')).toBe(true);
    });
  });

  describe(`${name}: what is known of a transaction`, () => {
    it('is what it takes back, whose words led to it, and what it took away', async () => {
      const { journal, reopen } = await setUp();
      const own = new Set([path('a.md')]);
      const taking = {
        connection: 'mcp',
        removed: [{ path: path('b.md'), removed: 7, had: 7, isLost: true }],
        own,
      };
      const changes = [create('a.md', 'a'), replace('b.md', 'seven..', '')];
      await journal.begin(entry('a', { isPersons: true, call: 'a call' }), changes, taking);
      journal.mark('a', 'applied');
      const span = { from: 0, to: 2_000 };
      const known = await reopen();
      expect([known.callOf('a'), known.connectionOf('a')]).toEqual(['a call', 'mcp']);
      expect(known.personsFor(path('a.md'))).toEqual(['a']);
      expect(known.takenBy('mcp', span)).toEqual({ characters: 7, files: 1 });
      expect(known.isOwn('mcp', span, path('a.md'), revisionOf(Buffer.from('a')))).toBe(true);
      const inverse: Change[] = [
        { kind: 'remove', path: path('a.md'), before: Buffer.from('a'), mode: null },
        replace('b.md', '', 'seven..'),
      ];
      await journal.begin(entry('undo', { undoes: 'a' }), inverse);
      journal.mark('undo', 'applied');
      const later = await reopen();
      expect([later.undoneBy('a'), later.undoneWith('undo')]).toEqual(['undo', 'a']);
      expect(later.takenBack('a')).toEqual(new Set([path('a.md'), path('b.md')]));
      expect(later.takenBy('mcp', span)).toEqual({ characters: 0, files: 0 });
    });
  });
}
