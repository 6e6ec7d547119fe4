import fc from 'fast-check';
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
    ourFolders = {},
    theirFolders = {},
    leftOut = [],
  }: {
    ourMoves?: Names;
    theirMoves?: Names;
    ourFolders?: Names;
    theirFolders?: Names;
    leftOut?: string[];
  } = {},
) {
  const { incoming, concurrent } = planIncoming({
    base: mapOf(base),
    ours: mapOf(ours),
    theirs: mapOf(theirs),
    ourMoves: { files: movesOf(ourMoves), folders: movesOf(ourFolders) },
    theirMoves: { files: movesOf(theirMoves), folders: movesOf(theirFolders) },
    isSkipped: (path) => leftOut.map(pathOf).includes(path),
  });
  const shown = (path: VaultPath): string => path.slice('vault/'.length);
  return {
    incoming: Object.fromEntries([...incoming].map(([path, id]) => [shown(path), id])),
    concurrent: concurrent.map((met) => [shown(met.path), met.base, met.ours, met.theirs]),
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
      concurrent: [['both', '1', '2', '3']],
    });
  });

  it('puts an edit at the new path when one side moved the file', () => {
    const theirs = { base: { a: '1' }, ours: { a: '2' }, theirs: { b: '1' } };
    expect(plan(theirs, { theirMoves: { a: 'b' } }).incoming).toEqual({ b: '2', a: null });
    const ours = { base: { a: '1' }, ours: { b: '1' }, theirs: { a: '2' } };
    expect(plan(ours, { ourMoves: { a: 'b' } })).toEqual({ incoming: { b: '2' }, concurrent: [] });
    const both = { base: { a: '1' }, ours: { a: '2' }, theirs: { b: '3' } };
    expect(plan(both, { theirMoves: { a: 'b' } })).toEqual({
      incoming: { a: null },
      concurrent: [['b', '1', '2', '3']],
    });
  });

  it('uses the remote path when both sides moved a file', () => {
    const sides = { base: { a: '1' }, ours: { mine: '2' }, theirs: { theirs: '1' } };
    expect(plan(sides, { ourMoves: { a: 'mine' }, theirMoves: { a: 'theirs' } })).toEqual({
      incoming: { theirs: '2', mine: null },
      concurrent: [],
    });
    const same = { base: { a: '1' }, ours: { b: '2' }, theirs: { b: '3' } };
    expect(plan(same, { ourMoves: { a: 'b' }, theirMoves: { a: 'b' } }).concurrent).toEqual([
      ['b', '1', '2', '3'],
    ]);
  });

  it('keeps edits with their file when two files exchanged their names', () => {
    const base = { a: '1', b: '2' };
    const swapped = { a: '2', b: '1' };
    const moves = { a: 'b', b: 'a' };
    expect(plan({ base, ours: swapped, theirs: { a: '1+', b: '2' } }, { ourMoves: moves })).toEqual({
      incoming: { b: '1+' },
      concurrent: [],
    });
    expect(plan({ base, ours: { a: '1+', b: '2' }, theirs: swapped }, { theirMoves: moves })).toEqual({
      incoming: { b: '1+', a: '2' },
      concurrent: [],
    });
  });

  it('does not take a new file for the one that was moved away from its path', () => {
    const sides = { base: { a: '1' }, ours: { a: 'new', b: '1' }, theirs: { a: '1+' } };
    expect(plan(sides, { ourMoves: { a: 'b' } })).toEqual({ incoming: { b: '1+' }, concurrent: [] });
  });

  it('ignores a move to a path at which the other side created a file', () => {
    const sides = { base: { a: '1' }, ours: { a: '1+', b: 'new' }, theirs: { b: '1' } };
    expect(plan(sides, { theirMoves: { a: 'b' } })).toEqual({
      incoming: {},
      concurrent: [
        ['a', '1', '1+', undefined],
        ['b', undefined, 'new', '1'],
      ],
    });
  });

  it('moves new files with their folder, unless their path is taken', () => {
    const [base, renamed] = [{ 'old/a': '1' }, { 'new/a': '1' }];
    const folders = { old: 'new' };
    const moves = { 'old/a': 'new/a' };
    expect(
      plan(
        { base, ours: { ...base, 'old/b/c': '2' }, theirs: renamed },
        { theirMoves: moves, theirFolders: folders },
      ).incoming,
    ).toEqual({ 'new/a': '1', 'old/a': null, 'new/b/c': '2', 'old/b/c': null });
    expect(
      plan(
        { base, ours: renamed, theirs: { ...base, 'old/b': '2' } },
        { ourMoves: moves, ourFolders: folders },
      ).incoming,
    ).toEqual({ 'new/b': '2' });
    expect(
      plan(
        { base, ours: { ...renamed, 'new/b': '3' }, theirs: { ...base, 'old/b': '2' } },
        { ourMoves: moves, ourFolders: folders },
      ).incoming,
    ).toEqual({ 'old/b': '2' });
  });
});

describe('arbitrary changes of two machines', () => {
  const base = { a: 'A', b: 'B', 'f/c': 'C', 'f/d': 'D' };
  const names = ['a', 'b', 'f/c', 'f/d', 'x', 'f/y'];
  const step = fc.record({
    kind: fc.constantFrom('edit', 'move', 'remove', 'create'),
    path: fc.constantFrom(...names),
    to: fc.constantFrom(...names),
  });
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  /** Carries the steps out on the files of the base; each content that they make occurs once. */
  function change(steps: readonly Step[], name: string): { files: Names; moves: Names } {
    const files = new Map<string, { id: string; was: string | null }>(
      Object.entries(base).map(([path, id]) => [path, { id, was: path }]),
    );
    for (const [index, { kind, path, to }] of steps.entries()) {
      const file = files.get(path);
      if (kind === 'create' && file === undefined) files.set(path, { id: `${name}${index}`, was: null });
      if (file === undefined) continue;
      if (kind === 'edit') files.set(path, { ...file, id: `${name}${index}` });
      if (kind === 'remove') files.delete(path);
      if (kind === 'move' && !files.has(to)) {
        files.delete(path);
        files.set(to, file);
      }
    }
    const moved = [...files].flatMap(([path, { was }]) =>
      was === null || was === path ? [] : [[was, path]],
    );
    return {
      files: Object.fromEntries([...files].map(([path, { id }]) => [path, id])),
      moves: Object.fromEntries(moved) as Names,
    };
  }

  it('lose no content, and every path gets one file', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), fc.array(step, { maxLength: 6 }), (byUs, byThem) => {
        const [ours, theirs] = [change(byUs, 'ours '), change(byThem, 'theirs ')];
        const { incoming, concurrent } = plan(
          { base, ours: ours.files, theirs: theirs.files },
          { ourMoves: ours.moves, theirMoves: theirs.moves },
        );
        const after = new Map<string, string | null | undefined>([
          ...Object.entries(ours.files),
          ...Object.entries(incoming),
        ]);
        const paths = concurrent.map(([path]) => path);
        expect(new Set(paths).size).toBe(paths.length);
        for (const path of paths) expect(incoming).not.toHaveProperty([path ?? '']);
        const kept = new Set([
          ...[...after].filter(([path]) => !paths.includes(path)).map(([, id]) => id),
          ...concurrent.flatMap(([, , mine, other]) => [mine, other]),
        ]);
        for (const id of [...Object.values(ours.files), ...Object.values(theirs.files)])
          if (!Object.values(base).includes(id)) expect([...kept]).toContain(id);
        // What neither side deleted is kept, too.
        for (const id of Object.values(base))
          if (Object.values(ours.files).includes(id) && Object.values(theirs.files).includes(id))
            expect([...kept]).toContain(id);
      }),
      { numRuns: 3_000 },
    );
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
