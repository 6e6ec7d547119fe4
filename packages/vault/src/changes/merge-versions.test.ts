import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeTask, childPath, parseTasks, rootPath, wrapStatus, defaultLayout } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { mergeKeepingBoth as keepIn, mergeVersions as mergeIn } from './merge-versions.ts';

const mergeVersions = (path: VaultPath, base: string | null, one: string, other: string): string | null =>
  mergeIn(path, base, one, other, defaultLayout);

const { changelogPath, overviewPath } = defaultLayout;
const note = childPath(rootPath, 'note.md');
const tasks = childPath(rootPath, 'tasks.md');
const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('two versions of a note', () => {
  it('are merged line by line with their common base', () => {
    const base = text('# Plan', '', 'one', 'two', 'three');
    const [a, b] = [
      text('# Plan', '', 'zero', 'one', 'two', 'three'),
      text('# Plan', '', 'one', 'three', 'four'),
    ];
    expect(mergeVersions(note, base, a, b)).toBe(text('# Plan', '', 'zero', 'one', 'three', 'four'));
  });

  it('are merged by the fields of a task, so that a tick and a date of the same task are both kept', () => {
    const list = (...lines: string[]): string => text('# House', '', ...lines, '- [ ] Paint');
    expect(
      mergeVersions(
        note,
        list('- [ ] Call', '- [ ] Pay'),
        list('- [x] Call', '- [ ] Pay ⏫'),
        list('- [ ] Call 📅 2026-12-01', '- [x] Pay'),
      ),
    ).toBe(list('- [x] Call 📅 2026-12-01', '- [x] Pay ⏫'));
  });

  it('keep the additions of both at the same place, with common lines only once', () => {
    expect(mergeVersions(note, text('x'), text('x', 'milk', 'bread'), text('x', 'eggs', 'bread'))).toBe(
      text('x', 'milk', 'bread', 'eggs'),
    );
  });

  it('are not merged if both changed the same lines, whether the base is known or not', () => {
    expect(mergeVersions(note, text('a', 'x'), text('b', 'x'), text('c', 'x'))).toBeNull();
    expect(mergeVersions(note, null, text('b', 'x'), text('c', 'x'))).toBeNull();
  });

  it.each([
    [tasks, text('# Pay', 'status: to-do | repeat: every month', 'deadline: 2026-07-31', '', 'Notes.')],
    [note, text('- [ ] Pay 🔁 every month 📅 2026-07-31', '- [ ] Call')],
  ])('in %s have one next task if both completed the same repeating one', (path, base) => {
    const complete = (today: string): string => {
      const [task] = parseTasks(base);
      if (task === undefined) return expect.unreachable();
      const result = changeTask(base, task.lineNumber, { text: task.line }, { status: 'done', today });
      return result.kind === 'changed' ? result.text : expect.unreachable();
    };
    const merged = mergeVersions(path, base, complete('2026-07-30'), complete('2026-08-02'));
    expect(merged).toBe(complete('2026-07-30'));
    expect(merged?.match(/2026-08-31/g)).toHaveLength(1);
  });

  it('are merged without a base if each side only has additional lines', () => {
    expect(mergeVersions(note, null, text('a', 'x', 'b'), text('x', 'b', 'c'))).toBe(
      text('a', 'x', 'b', 'c'),
    );
  });

  it('keep the status that was set last', () => {
    const overview = (day: number, status: string, ...lines: string[]): string =>
      text(
        '---',
        `updated: 2026-07-${day}T10:00:00`,
        'tokens: 9',
        '---',
        '',
        '# Overview',
        '',
        ...wrapStatus(status),
        '',
        'Words.',
        ...lines,
      );
    const [base, older] = [
      overview(10, '2026-07-10 · inbox: 0'),
      overview(11, '2026-07-11 · inbox: 3', 'One.'),
    ];
    const newer = overview(12, '2026-07-12 · inbox: 1');
    const merged = mergeVersions(overviewPath, base, newer, older);
    expect(merged).toContain(text(...wrapStatus('2026-07-12 · inbox: 1'), '', 'Words.', 'One.'));
    expect(mergeVersions(overviewPath, base, older, newer)).toBe(merged);
  });

  it('keep the fields of both, the earlier creation time and the later update time', () => {
    const front = (created: string, updated: string, ...fields: string[]): string =>
      text(
        '---',
        `created: 2026-07-${created}T10:00:00`,
        `updated: 2026-07-${updated}T10:00:00`,
        'tokens: 9',
        ...fields,
        '---',
        '',
        'x',
      );
    const base = front('10', '11', 'status: open', 'people: [a]');
    const a = front('10', '13', 'status: done', 'people: [a]');
    const b = front('10', '12', 'status: open', 'people: [a]', 'place: Lyon');
    expect(mergeVersions(note, base, a, b)).toBe(
      text(
        '---',
        'created: 2026-07-10T10:00:00',
        'updated: 2026-07-13T10:00:00',
        'tokens: 1',
        'status: done',
        'people: [a]',
        'place: Lyon',
        '---',
        '',
        'x',
      ),
    );
    expect(mergeVersions(note, base, a, b.replace('open', 'late'))).toBeNull();
  });

  it('merge to the newer one when they differ only in stamps', () => {
    const at = (time: string): string => text('---', `updated: ${time}`, 'tokens: 1', '---', '', 'x');
    const [a, b] = [at('2026-07-14T10:00:00'), at('2026-07-15T10:00:00')];
    expect(mergeVersions(note, null, a, b)).toBe(b);
  });

  it('keep CRLF line endings if both have them, otherwise use LF', () => {
    const windows = (...lines: string[]): string => text(...lines).replaceAll('\n', '\r\n');
    expect(mergeVersions(note, windows('a'), windows('a', 'b'), windows('0', 'a'))).toBe(
      windows('0', 'a', 'b'),
    );
    expect(mergeVersions(note, windows('a'), text('a', 'b'), windows('0', 'a'))).toBe(text('0', 'a', 'b'));
  });
});

describe('two versions of a changelog', () => {
  const base = text('<!-- newest first -->', '', '# 2026-07-13', '', '## Old', '', 'words');

  it('are merged by entry and day, with the newest day first', () => {
    const a = text(
      '<!-- newest first -->',
      '',
      '# 2026-07-14',
      '',
      '## From a',
      '',
      'a',
      '',
      ...base.trim().split('\n').slice(2),
    );
    const b = text(
      '<!-- newest first -->',
      '',
      '# 2026-07-15',
      '',
      '## Later',
      '',
      '# 2026-07-14',
      '',
      '## From b',
      '',
      'b',
      '',
      ...base.trim().split('\n').slice(2),
    );
    const expected = text(
      '<!-- newest first -->',
      '',
      '# 2026-07-15',
      '',
      '## Later',
      '',
      '# 2026-07-14',
      '',
      '## From b',
      '',
      'b',
      '',
      '## From a',
      '',
      'a',
      '',
      '# 2026-07-13',
      '',
      '## Old',
      '',
      'words',
    );
    for (const from of [base, null]) expect(mergeVersions(changelogPath, from, a, b)).toBe(expected);
  });

  it('keep equal entries once, and both of two different entries with the same heading', () => {
    const day = (...entry: string[]): string =>
      text('# 2026-07-14', '', '## Called Ada', '', ...entry, '', '# 2026-07-13');
    const from = text('# 2026-07-13');
    expect(mergeVersions(changelogPath, from, day('at ten'), `${day('at ten')}\n`)).toBe(day('at ten'));
    expect(mergeVersions(changelogPath, from, day('at ten'), day('at noon'))).toBe(
      text(
        '# 2026-07-14',
        '',
        '## Called Ada',
        '',
        'at noon',
        '',
        '## Called Ada',
        '',
        'at ten',
        '',
        '# 2026-07-13',
      ),
    );
  });
});

it('a merged changelog contains an entry once if two machines filed the same text, even among others with the same heading', () => {
  const from = text('# 2026-07-13', '', '## Old');
  const day = (...entries: string[]): string =>
    text('# 2026-07-14', '', ...entries.flatMap((words) => ['## Called Ada', words, '']), from.trimEnd());
  const merged = mergeVersions(changelogPath, from, day('at noon', 'at ten'), day('at noon'));
  expect(merged?.match(/^at .*/gm)).toEqual(['at noon', 'at ten']);
  const twice = day('at noon', 'at noon');
  expect(mergeVersions(changelogPath, from, twice, day('at noon'))).toBe(twice);
});

describe('two versions of a task list', () => {
  it('drop a task that one side finished, unless the other side changed it', () => {
    const task = (name: string, ...more: string[]): string[] => [`# ${name}`, 'status: open', ...more, ''];
    const base = text(...task('Buy paint'), ...task('Call Ada'), ...task('Write'));
    const a = text(...task('Write'));
    const b = text(
      ...task('Buy paint'),
      ...task('Call Ada', 'she is back on Monday'),
      ...task('Write'),
      ...task('New'),
    );
    expect(mergeVersions(tasks, base, a, b)?.match(/^# .+/gm)).toEqual(['# Call Ada', '# Write', '# New']);
  });
});

/** An edit of one machine. */
type Step = { at: number; kind: 'add' | 'remove' };
const steps = fc.array(
  fc.record({ at: fc.nat(40), kind: fc.constantFrom('add' as const, 'remove' as const) }),
  { maxLength: 6 },
);

function after(lines: readonly string[], side: string, done: readonly Step[]): string[] {
  const now = [...lines];
  for (const [index, { at, kind }] of done.entries())
    if (kind === 'add') now.splice(at % (now.length + 1), 0, `${side}${index} added`);
    else if (now.length > 0) now.splice(at % now.length, 1);
  return now;
}

const count = (lines: readonly string[], line: string): number =>
  lines.filter((each) => each === line).length;

describe('arbitrary edits of two machines', () => {
  const base = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  const each = fc.tuple(steps, steps, fc.boolean());

  it('never lose or duplicate a line, and merge to the same text in either order', () => {
    let merges = 0;
    fc.assert(
      fc.property(each, ([mine, theirs, isKnown]) => {
        const [a, b] = [after(base, 'a', mine), after(base, 'b', theirs)];
        const from = isKnown ? text(...base) : null;
        const merged = mergeVersions(note, from, text(...a), text(...b));
        expect(mergeVersions(note, from, text(...b), text(...a))).toBe(merged);
        if (merged === null) return;
        merges += 1;
        const lines = merged.split('\n');
        for (const line of new Set([...a, ...b])) {
          const isKept = isKnown ? !base.includes(line) || (a.includes(line) && b.includes(line)) : true;
          expect([line, count(lines, line)]).toEqual([line, isKept ? 1 : 0]);
        }
        expect(mergeVersions(note, from, merged, merged)).toBe(merged);
        expect(mergeVersions(note, from, merged, text(...a)) ?? merged).toBe(merged);
      }),
      { numRuns: 500 },
    );
    expect(merges).toBeGreaterThan(100);
  });

  it('always merge in a changelog, which then contains every entry once', () => {
    const days = ['2026-07-15', '2026-07-14', '2026-07-13'];
    /** An entry keeps its day, regardless of its position in the list. */
    const dayOf = (entry: string): string => days[(entry.codePointAt(entry.length - 1) ?? 0) % 3] ?? '';
    const render = (entries: readonly string[]): string =>
      days
        .flatMap((day) => [
          text(`# ${day}`, ''),
          ...entries
            .filter((entry) => dayOf(entry.replace(' added', '')) === day)
            .map((entry) => text(`## ${entry}`, '', `words of ${entry}`, '')),
        ])
        .join('');
    fc.assert(
      fc.property(each, ([mine, theirs, isKnown]) => {
        const [a, b] = [after(base, 'a', mine), after(base, 'b', theirs)];
        const [from, one, other] = [base, a, b].map((entries) => render(entries)) as [string, string, string];
        const merged = mergeVersions(changelogPath, isKnown ? from : null, one, other);
        expect(mergeVersions(changelogPath, isKnown ? from : null, other, one)).toBe(merged);
        const lines = (merged ?? expect.unreachable('not merged')).split('\n');
        for (const entry of new Set([...a, ...b])) {
          const isKept = isKnown ? !base.includes(entry) || (a.includes(entry) && b.includes(entry)) : true;
          for (const line of [`## ${entry}`, `words of ${entry}`])
            expect([line, count(lines, line)]).toEqual([line, isKept ? 1 : 0]);
        }
        for (const day of days) expect(count(lines, `# ${day}`)).toBe(1);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a frontmatter list that both sides changed', () => {
  const version = (...fields: string[]): string => text('---', ...fields, '---', '', 'Words.');

  it('has the items of both, without those that one side removed', () => {
    const cases: [base: string[], a: string[], b: string[], merged: string[]][] = [
      [
        ['tags: [a, b]'],
        ['tags: [a, b, laptop]'],
        ['tags: [a, b, desktop]'],
        ['tags: [a, b, desktop, laptop]'],
      ],
      [['tags: [a, b]'], ['tags: [a, laptop]'], ['tags: [a, b, "x, y"]'], ['tags: [a, "x, y", laptop]']],
      [['tags: []'], ['tags: [laptop]'], ['tags:', '  - desktop'], ['tags:', '  - desktop', '  - laptop']],
      [
        ['tags:', '- a'],
        ['tags:', '- a', '- b'],
        ['tags:', '- a', '- c'],
        ['tags:', '- a', '- c', '- b'],
      ],
      [
        ['tags:', '- a', '- b'],
        ['tags:', '- a', '- c'],
        ['tags:', '- a', '- b', '- d'],
        ['tags:', '- a', '- c', '- d'],
      ],
    ];
    for (const [base, a, b, merged] of cases) {
      const [from, one, other] = [base, a, b].map((fields) => version(...fields)) as [string, string, string];
      expect(mergeVersions(note, from, one, other)).toBe(version(...merged));
      expect(mergeVersions(note, from, other, one)).toBe(version(...merged));
    }
  });

  it('is disputed if its items are not simple', () => {
    const nested = (value: string): string => version(`tags: [a, [${value}]]`);
    expect(mergeVersions(note, nested('b'), nested('c'), nested('d'))).toBeNull();
  });
});

describe('two versions with different changes to the same lines', () => {
  const keepBoth = (base: string, one: string, other: string, path = note) =>
    keepIn(path, base, one, other, defaultLayout);

  it('keep both sides of these lines only, and every other edit and deletion', () => {
    const base = text('# Plan', '', 'one', '', 'two', '', 'three', '', 'four');
    const a = text('# Plan', '', 'one A', '', 'two', '', 'four', '', 'five A');
    const b = text('# Plan', '', 'one B', '', 'two B', '', 'three', '', 'four');
    const kept = keepBoth(base, a, b);
    expect(kept?.text).toBe(text('# Plan', '', 'one A', '', 'one B', '', 'two B', '', 'four', '', 'five A'));
    expect(kept?.disputes).toEqual([
      { base: ['one'], a: ['one A'], b: ['one B'], kept: ['one A', '', 'one B'] },
    ]);
  });

  it('do not restore a line that one side deleted next to lines that both changed', () => {
    const [base, a, b] = [
      text('x', 'one', 'two', 'y'),
      text('x', 'one A', 'y'),
      text('x', 'one B', 'two', 'y'),
    ];
    expect(keepBoth(base, a, b)?.text).toBe(text('x', 'one A', '', 'one B', 'y'));
  });

  it('keep both sides of a list item or task without joining them into a paragraph', () => {
    const [base, a, b] = [text('- one', 'x'), text('- one A', 'x'), text('- one B', 'x')];
    expect(keepBoth(base, a, b)?.text).toBe(text('- one A', '- one B', 'x'));
    const task = (line: string): string => text('# Call Marie', line, '', '# Other', 'status: open');
    expect(keepBoth(task('status: open'), task('status: done'), task('status: late'), tasks)?.text).toBe(
      text('# Call Marie', 'status: done', '', 'status: late', '', '# Other', 'status: open'),
    );
  });

  it('keep each frontmatter field once, from the version that was updated last', () => {
    const version = (day: number, status: string): string =>
      text('---', `updated: 2026-07-${day}T10:00:00`, `status: ${status}`, '---', '', 'Words.');
    const kept = keepBoth(version(10, 'open'), version(12, 'paused'), version(11, 'done'));
    expect(kept?.text).toContain('status: paused\n');
    expect(kept?.text).not.toContain('status: done');
    expect(kept?.disputes).toHaveLength(1);
  });

  it('never lose, duplicate or restore a line, and merge to the same text in either order', () => {
    // Every added line is unique; blank lines are ignored.
    const edit = fc.record({ at: fc.nat(11), remove: fc.nat(3), add: fc.nat(2), blank: fc.boolean() });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 4 }), fc.array(edit, { maxLength: 4 }), (byA, byB) => {
        const start = Array.from({ length: 12 }, (_, index) => `base ${index}`);
        const apply = (edits: typeof byA, name: string): string[] =>
          edits.reduce((lines, { at, remove, add, blank }, index) => {
            const added = Array.from({ length: add }, (_, each) => `${name} ${index} ${each}`);
            return lines.toSpliced(Math.min(at, lines.length), remove, ...added, ...(blank ? [''] : []));
          }, start);
        const [a, b] = [apply(byA, 'a'), apply(byB, 'b')];
        const kept = keepBoth(text(...start), text(...a), text(...b));
        expect(keepBoth(text(...start), text(...b), text(...a))).toEqual(kept);
        const lines = (kept?.text ?? '').split('\n').filter((line) => line !== '');
        const isDeleted = (line: string): boolean =>
          start.includes(line) && (!a.includes(line) || !b.includes(line));
        const expectedLines = [...new Set([...a, ...b])].filter((line) => line !== '' && !isDeleted(line));
        expect(lines.toSorted()).toEqual(expectedLines.toSorted());
      }),
      { numRuns: 2_000 },
    );
  });
});
