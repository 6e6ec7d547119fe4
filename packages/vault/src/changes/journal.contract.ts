import { describe, expect, it } from 'vitest';
// The contract of the journal; every implementation runs this suite, wherever it is.
import type { Change } from './change.ts';
import type { Journal } from './journal.ts';
import type { NewJournalEntry } from './transaction-store.ts';
import { computeRevision } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { formatReason } from '../contract/index.ts';

export type JournalUnderTest = {
  journal: Journal;
  /** The same journal, as a process sees it that opens it now. */
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
const entry = (id: string, more: Partial<NewJournalEntry> = {}): NewJournalEntry => ({
  id,
  at: 1_000,
  origin: 'test',
  summary: `of ${id}`,
  state: 'applying',
  ...more,
});
const held = (id: string): NewJournalEntry =>
  entry(id, { state: 'held', heldBecause: formatReason('deletes-files', { count: 12 }) });

/** Defines the tests that every implementation of the journal has to pass. */
export function journalContract(name: string, setUp: () => Promise<JournalUnderTest>): void {
  describe(`${name}: a new entry`, () => {
    it('is found by a unique prefix of its id, in upper or lower case', async () => {
      const { journal } = await setUp();
      const [lower, upper] = ['0f8fad5b-d9cb-469f-a165-70867728950e', 'ABCDEF01-D9CB-469F-A165-70867728950E'];
      for (const id of [lower, upper, '0f8fad60-d9cb', 'abcd-chosen by a caller'])
        await journal.append(entry(id), [create(`${id}.md`, 'x')]);
      for (const id of [lower, lower.slice(0, 8), lower.slice(0, 8).toUpperCase()])
        expect(journal.find(id)?.id).toBe(lower);
      for (const id of [upper, upper.slice(0, 8), upper.slice(0, 8).toLowerCase()])
        expect(journal.find(id)?.id).toBe(upper);
      expect(journal.find('abcd-c')?.id).toBe('abcd-chosen by a caller');
      for (const id of ['0f8fad', 'abcd', '0f8', '%%%%', `${lower}0`])
        expect(journal.find(id)).toBeUndefined();
    });

    it('is complete when the journal is reopened, with created folders last', async () => {
      const { journal, reopen } = await setUp();
      const changes: Change[] = [
        create('new/a.bin', '\u0000\u00ff'),
        replace('b.md', 'before\n', 'after\n'),
        { kind: 'remove', path: path('c.md'), before: Buffer.from('gone\n'), mode: 0o644 },
        { kind: 'remove-folder', path: path('old') },
        { kind: 'make-folder', path: path('new') },
      ];
      await journal.append(entry('a'), changes);
      const next = await reopen();
      expect(next.listIncomplete()).toEqual([
        { id: 'a', at: 1_000, origin: 'test', summary: 'of a', state: 'applying' },
      ]);
      expect(next.changesOf('a')).toEqual(changes);
      expect(next.changesOf('a', path('b.md'))).toEqual([changes[1]]);
      expect(next.foldersOf('a')).toEqual([path('new')]);
      expect(next.find('a')?.summary).toBe('of a');
    });

    it('is rejected when the id exists, unless that transaction was reverted', async () => {
      const { journal, reopen } = await setUp();
      await journal.append(entry('a'), [create('a.md', 'a')]);
      await expect(journal.append(entry('a'), [create('a.md', 'b')])).rejects.toThrow('UNIQUE');
      expect(journal.changesOf('a')).toEqual([create('a.md', 'a')]);
      journal.setState('a', 'reverted');
      await journal.append(entry('a'), [create('a.md', 'c')]);
      expect((await reopen()).changesOf('a')).toEqual([create('a.md', 'c')]);
    });

    it('is listed in the order in which entries were appended', async () => {
      const { journal, reopen } = await setUp();
      const ids = ['c', 'a', 'b'];
      for (const id of ids) await journal.append(entry(id), [create(`${id}.md`, id)]);
      expect((await reopen()).listIncomplete().map(({ id }) => id)).toEqual(ids);
      for (const id of ids) journal.setStateLazily(id, 'applied');
      expect(journal.listIncomplete()).toEqual([]);
      expect(journal.listUncommitted(9).map(({ id }) => id)).toEqual(ids);
      expect([journal.count(), journal.latest()?.id]).toEqual([3, 'b']);
    });

    it('keeps its position when many entries are appended concurrently', async () => {
      const { journal, reopen } = await setUp();
      const ids = Array.from({ length: 20 }, (_, number) => `n${number}`);
      await Promise.all(ids.map((id) => journal.append(held(id), [create(`${id}.md`, id)])));
      const listed = (await reopen()).list({ limit: 99 }).map(({ id }) => id);
      expect(listed.toReversed()).toEqual(ids);
    });
  });

  describe(`${name}: a held entry`, () => {
    it('is approved or rejected only once, durably', async () => {
      const { journal, reopen } = await setUp();
      await journal.append(held('a'), [create('a.md', 'a')]);
      expect(journal.isHeld('a')).toBe(true);
      expect(await journal.recordDecision('a', 'rejected')).toBe(true);
      expect(await journal.recordDecision('a', 'approved')).toBe(false);
      expect((await reopen()).find('a')?.state).toBe('rejected');
      await expect(journal.append(entry('b', { approves: 'a' }), [create('a.md', 'a')])).rejects.toThrow(
        'already approved or rejected',
      );
    });

    it('is held again when its rejection is withdrawn, durably', async () => {
      const { journal, reopen } = await setUp();
      await journal.append(held('a'), [create('a.md', 'a')]);
      expect(await journal.withdrawRejection('a')).toBe(false);
      await journal.recordDecision('a', 'rejected');
      expect(await journal.withdrawRejection('a')).toBe(true);
      const next = await reopen();
      expect(next.isHeld('a')).toBe(true);
      expect(await next.recordDecision('a', 'approved')).toBe(true);
      expect(await next.withdrawRejection('a')).toBe(false);
    });

    it('is applied only once and then no longer held, even if the decision about it was not recorded', async () => {
      const { journal, reopen } = await setUp();
      await journal.append(held('a'), [create('a.md', 'a')]);
      await journal.append(entry('b', { approves: 'a' }), [create('a.md', 'a')]);
      await expect(journal.append(entry('c', { approves: 'a' }), [create('a.md', 'a')])).rejects.toThrow(
        'already approved or rejected',
      );
      const next = await reopen();
      expect([next.isHeld('a'), next.appliedIdOf('a')]).toEqual([false, 'b']);
      expect(await next.recordDecision('a', 'rejected')).toBe(false);
      expect(await next.recordDecision('a', 'approved')).toBe(true);
    });
  });

  describe(`${name}: the metadata of a transaction`, () => {
    it('includes the undone transaction, the author and the removed text', async () => {
      const { journal, reopen } = await setUp();
      const own = new Set([path('a.md')]);
      const taking = {
        connection: 'mcp',
        removed: [{ path: path('b.md'), removedCharacters: 7, totalCharacters: 7, isMostlyRemoved: true }],
        own,
      };
      const changes = [create('a.md', 'a'), replace('b.md', 'seven..', '')];
      await journal.append(entry('a', { isUserAuthored: true, callDigest: 'a call' }), changes, taking);
      journal.setState('a', 'applied');
      const span = { from: 0, to: 2_000 };
      const known = await reopen();
      expect([known.callOf('a'), known.connectionOf('a')]).toEqual(['a call', 'mcp']);
      expect(known.userAuthoredFor(path('a.md'))).toEqual(['a']);
      expect(known.removedBy('mcp', span)).toEqual({ characters: 7, files: 1 });
      expect(known.wroteWholeFile('mcp', span, path('a.md'), computeRevision(Buffer.from('a')))).toBe(true);
      const inverse: Change[] = [
        { kind: 'remove', path: path('a.md'), before: Buffer.from('a'), mode: null },
        replace('b.md', '', 'seven..'),
      ];
      await journal.append(entry('undo', { undoes: 'a' }), inverse);
      journal.setState('undo', 'applied');
      const later = await reopen();
      expect([later.undoOf('a'), later.undoTargetOf('undo')]).toEqual(['undo', 'a']);
      expect(later.undonePaths('a')).toEqual(new Set([path('a.md'), path('b.md')]));
      expect(later.removedBy('mcp', span)).toEqual({ characters: 0, files: 0 });
    });
  });
}
