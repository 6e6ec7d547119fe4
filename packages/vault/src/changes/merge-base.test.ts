import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childPath, rootPath, defaultLayout } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { findMergeBase } from './merge-base.ts';
import type { Version } from './merge-base.ts';
import { mergeVersions as mergeIn } from './merge-versions.ts';

const mergeVersions = (path: VaultPath, base: string | null, one: string, other: string): string | null =>
  mergeIn(path, base, one, other, defaultLayout);

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const note = childPath(rootPath, 'note.md');
const versions = (...texts: string[]): Version[] => texts.map((each) => ({ text: each, isOwnWrite: true }));

describe('the merge base of two texts', () => {
  const oldest = text('a');
  const base = text('a', 'b', 'c', 'd');
  const first = text('a', 'b', 'c', 'd', 'mine');
  const mine = text('a', 'b', 'c', 'mine', 'more of mine');
  const theirs = text('a', 'b', 'c', 'd', 'theirs');

  it('is the last version before the texts diverged', () => {
    expect(findMergeBase(versions(mine, first, base), mine, theirs)).toBe(base);
    expect(findMergeBase(versions(first, base), mine, theirs)).toBe(base);
    expect(findMergeBase(versions(theirs, base), mine, theirs)).toBe(base);
  });

  it('is the last common version even if both texts changed the same line', () => {
    const [one, two] = [text('a', 'b', 'c', 'x'), text('a', 'b', 'c', 'y')];
    expect(findMergeBase(versions(one, base), one, two)).toBe(base);
  });

  it('omits lines that one side may never have had', () => {
    // The current note contains a merge. The copy is older than that merge and shares more lines with it than with its own
    // ancestor.
    const [copy, merged] = [text('a', 'b', 'x', 'y', 'z'), text('a', 'b', 'x', 'y', 'z', 'ours')];
    const now = text('a', 'b', 'x', 'y', 'z', 'ours', 'more');
    const known = [
      ...versions(merged),
      { text: text('a', 'b', 'ours'), isOwnWrite: false },
      ...versions(oldest),
    ];
    expect(findMergeBase(known, now, copy)).toBe(copy);
    expect(mergeVersions(note, findMergeBase(known, now, copy), now, copy)).toBe(now);
  });

  it('lets a merge recognize a deletion, even if one side contains several of our own changes', () => {
    const [one, two] = [text('a', 'b', 'task'), text('a', 'b', 'task', 'c')];
    const [now, copy] = [text('a', 'b', 'task', 'c', 'd', 'now'), text('a', 'b', 'c', 'd')];
    const known = versions(text('a', 'b', 'task', 'c', 'd'), two, one, oldest);
    expect(mergeVersions(note, findMergeBase(known, now, copy), now, copy)).toBe(
      text('a', 'b', 'c', 'd', 'now'),
    );
  });

  it('lets a merge keep all lines of two notes that were created from the same template', () => {
    const mineFirst = text('# 2026-07-14', '## Tasks', 'call Ada', '## Notes');
    const mineNow = text('# 2026-07-14', 'early', '## Tasks', 'call Ada', '## Notes');
    const other = text('# 2026-07-14', '## Tasks', '## Notes', 'it rained');
    const merged = mergeVersions(note, findMergeBase(versions(mineFirst), mineNow, other), mineNow, other);
    expect(merged).toBe(text('# 2026-07-14', 'early', '## Tasks', 'call Ada', '## Notes', 'it rained'));
  });

  it('omits fields that one side may never have had', () => {
    const top = (...fields: string[]): string => text('---', ...fields, '---', '', 'a', 'b', 'c');
    const known = versions(top('place: Lyon', 'mood: good'), top('place: Lyon'));
    const [now, copy] = [`${top('place: Lyon', 'mood: good')}d\n`, `z\n${top()}`.replace('z\n', '')];
    expect(mergeVersions(note, findMergeBase(known, now, `${copy}e\n`), now, `${copy}e\n`)).toMatch(
      /^---\nmood: good\n---/,
    );
  });

  it('is null if history contains only the two texts, or no version that shares a line with them', () => {
    expect(findMergeBase(versions(mine, theirs), mine, theirs)).toBeNull();
    expect(findMergeBase([], mine, theirs)).toBeNull();
    expect(findMergeBase(versions('x\n'), 'y\n', 'z\n')).toBeNull();
  });
});

/** A machine with its note, its history, and the conflict copies it has received. */
type Machine = { lines: string[]; versions: Version[]; copies: string[][] };

const act = fc.record({
  machine: fc.nat(2),
  kind: fc.constantFrom('write', 'write', 'write', 'edit', 'delete', 'send', 'copy', 'settle', 'settle'),
  at: fc.nat(1000),
  isOwnWrite: fc.boolean(),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

/**
 * Simulates machines and a sync service that keeps one version in place and puts the other beside it, immediately or later.
 */
function play(acts: readonly Act[]): { merges: number; asked: number } {
  const start = Array.from({ length: 6 }, (_, index) => `start ${index}`);
  const machines = Array.from({ length: 3 }, (): Machine => ({ lines: start, versions: [], copies: [] }));
  const deleted = new Set<string>();
  const set = (machine: Machine, lines: string[], isOwnWrite: boolean): void => {
    machine.lines = lines;
    machine.versions.unshift({ text: text(...lines), isOwnWrite });
  };
  for (const machine of machines) set(machine, start, false);
  let [merges, asked] = [0, 0];
  for (const [index, { machine: which, kind, at, isOwnWrite }] of acts.entries()) {
    const machine = machines[which] as Machine;
    const other = machines[(which + 1 + (at % 2)) % 3] as Machine;
    const lines = [...machine.lines];
    const place = at % (lines.length + 1);
    if (kind === 'write')
      lines.splice(place, 0, ...Array.from({ length: 1 + (at % 3) }, (_, n) => `mark ${index}.${n}`));
    if (kind === 'edit') for (const line of lines.splice(place, 1, `mark ${index}`)) deleted.add(line);
    if (kind === 'delete') for (const line of lines.splice(place, 1)) deleted.add(line);
    if (kind === 'write' || kind === 'edit' || kind === 'delete') set(machine, lines, isOwnWrite);
    // The previous content becomes a conflict copy, which may stay for a long time.
    if (kind === 'send') {
      other.copies.push(other.lines);
      set(other, lines, false);
    }
    if (kind === 'copy') other.copies.push(lines);
    if (kind !== 'settle') continue;
    const copy = machine.copies.shift();
    if (copy === undefined) continue;
    const [now, theirs] = [text(...machine.lines), text(...copy)];
    const merged = mergeVersions(note, findMergeBase(machine.versions, now, theirs), now, theirs);
    if (merged === null) {
      asked += 1;
      continue;
    }
    merges += 1;
    const all = merged.split('\n');
    for (const line of new Set([...machine.lines, ...copy])) {
      const count = all.filter((each) => each === line).length;
      expect([line, count, deleted.has(line) && count === 0]).toEqual([
        line,
        count === 0 ? 0 : 1,
        count === 0,
      ]);
    }
    set(machine, merged.trimEnd().split('\n'), false);
  }
  return { merges, asked };
}

it('a merge never loses or duplicates a line that no machine deleted, for any sequence of edits and syncs of three machines', () => {
  const sum = { merges: 0, asked: 0 };
  fc.assert(
    fc.property(fc.array(act, { minLength: 20, maxLength: 80 }), (acts) => {
      const { merges, asked } = play(acts);
      sum.merges += merges;
      sum.asked += asked;
    }),
    { numRuns: 100, seed: 37 },
  );
  expect(sum.merges).toBeGreaterThan(4 * sum.asked);
});
