import { describe, expect, it } from 'vitest';
import { defaultLayout } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { resolveConflict as decideIn } from './resolve-conflict.ts';
import { planIncoming } from './plan-incoming.ts';

const decide = (path: VaultPath, versions: Parameters<typeof decideIn>[1], isFirst: boolean) =>
  decideIn(path, versions, isFirst, defaultLayout);

type Names = Record<string, string>;

const pathOf = (name: string): VaultPath => `vault/${name}` as VaultPath;
const mapOf = (names: Names): Map<VaultPath, string> =>
  new Map(Object.entries(names).map(([name, id]) => [pathOf(name), id]));
const movesOf = (names: Names): Map<VaultPath, VaultPath> =>
  new Map(Object.entries(names).map(([from, to]) => [pathOf(from), pathOf(to)]));

function plan(
  { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', Names>,
  {
    ourMoves = {},
    theirMoves = {},
    leftOut = [],
  }: { ourMoves?: Names; theirMoves?: Names; leftOut?: string[] } = {},
) {
  const { incoming, concurrent } = planIncoming({
    base: mapOf(base),
    ours: mapOf(ours),
    theirs: mapOf(theirs),
    ourMoves: movesOf(ourMoves),
    theirMoves: movesOf(theirMoves),
    isSkipped: (path) => leftOut.map(pathOf).includes(path),
  });
  const shown = (path: VaultPath | undefined): string => path?.slice('vault/'.length) ?? '';
  return {
    incoming: Object.fromEntries([...incoming].map(([path, id]) => [shown(path), id])),
    concurrent: concurrent.map((met) => [shown(met.path), met.base, met.ours, met.theirs, shown(met.from)]),
  };
}

describe('the plan of incoming changes', () => {
  it('contains remote-only changes and concurrent changes', () => {
    const sides = {
      base: { same: '1', theirs: '1', ours: '1', gone: '1', both: '1', equal: '1', left: '1' },
      ours: { same: '1', theirs: '1', ours: '2', gone: '1', both: '2', equal: '2', left: '1', mine: '9' },
      theirs: { same: '1', theirs: '2', ours: '1', both: '3', equal: '2', left: '2', new: '9' },
    };
    expect(plan(sides, { leftOut: ['left'] })).toEqual({
      incoming: { theirs: '2', gone: null, new: '9' },
      concurrent: [['both', '1', '2', '3', '']],
    });
  });

  it('merges a file at its new path when one side moved it and the other edited it', () => {
    const moved = { base: { a: '1' }, ours: { a: '2' }, theirs: { b: '1' } };
    expect(plan(moved, { theirMoves: { a: 'b' } })).toEqual({
      incoming: {},
      concurrent: [['b', '1', '2', '1', 'a']],
    });
    const ours = { base: { a: '1' }, ours: { b: '1' }, theirs: { a: '2' } };
    expect(plan(ours, { ourMoves: { a: 'b' } })).toEqual({
      incoming: {},
      concurrent: [['b', '1', '1', '2', '']],
    });
  });

  it('uses the remote path when both sides moved a file', () => {
    const sides = { base: { a: '1' }, ours: { mine: '2' }, theirs: { theirs: '1' } };
    expect(plan(sides, { ourMoves: { a: 'mine' }, theirMoves: { a: 'theirs' } })).toEqual({
      incoming: {},
      concurrent: [['theirs', '1', '2', '1', 'mine']],
    });
    const same = { base: { a: '1' }, ours: { b: '2' }, theirs: { b: '3' } };
    expect(plan(same, { ourMoves: { a: 'b' }, theirMoves: { a: 'b' } }).concurrent).toEqual([
      ['b', '1', '2', '3', ''],
    ]);
  });
});

describe('a file changed on both sides', () => {
  const bytes = (text: string): Buffer => Buffer.from(text);
  const stamped = (day: number, text: string): Buffer =>
    bytes(`---\nupdated: 2026-11-0${day}T10:00:00+01:00\n---\n\n${text}\n`);

  it('is deleted when one side deleted it and the other only changed its stamps', () => {
    const sides = { base: stamped(1, 'text'), ours: null, theirs: stamped(2, 'text') };
    expect(decide(pathOf('a.md'), sides, false).bytes).toBeNull();
    const changed = { ...sides, theirs: stamped(2, 'other') };
    expect(decide(pathOf('a.md'), changed, false).bytes).toEqual(changed.theirs);
  });

  it('is merged by lines only if it is a note', () => {
    const sides = { base: bytes('a\nb\n'), ours: bytes('a1\nb\n'), theirs: bytes('a\nb1\n') };
    expect(decide(pathOf('a.json'), sides, false)).toEqual({
      bytes: sides.theirs,
      isMerged: false,
      alternate: sides.ours,
      disputes: [],
    });
    expect(
      decide(
        pathOf('a.md'),
        { ...sides, base: bytes('a\n\nb\n'), ours: bytes('a1\n\nb\n'), theirs: bytes('a\n\nb1\n') },
        false,
      ),
    ).toEqual({
      bytes: bytes('a1\n\nb1\n'),
      isMerged: true,
      alternate: null,
      disputes: [],
    });
  });

  it('is merged even if each machine wrote its own status block', () => {
    const status = (said: string): string => `<!-- keepsake:status -->\n${said}\n<!-- /keepsake:status -->`;
    const overview = (said: string, ...lines: string[]): Buffer =>
      bytes(`# Overview\n\n${status(said)}\n\n${lines.join('\n\n')}\n`);
    const sides = {
      base: overview('2026-11-01 · inbox: 0', 'one', 'two', 'three'),
      ours: overview('2026-11-02 · inbox: 1', 'one by us', 'two', 'three'),
      theirs: overview('2026-11-03 · inbox: 2', 'one', 'two', 'three by them'),
    };
    expect(decide(pathOf('overview.md'), sides, false)).toMatchObject({
      bytes: overview('2026-11-03 · inbox: 2', 'one by us', 'two', 'three by them'),
      isMerged: true,
    });
  });
});
