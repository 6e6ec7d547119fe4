import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeTask, taskStatus, taskStatuses } from './change-task.ts';
import type { TaskChange } from './change-task.ts';
import { parseTasks } from './tasks.ts';

/** Changes the task in the only line that contains this text. */
function change(text: string, set: TaskChange, title: string): string {
  const task = parseTasks(text).find((each) => each.title === title);
  if (task === undefined) return expect.unreachable(`no task ${title}`);
  const expected = { title, status: taskStatus(task), priority: task.priority, day: task.when?.day ?? null };
  const result = changeTask(text, task.lineNumber, expected, set);
  return result.kind === 'changed' ? result.text : expect.unreachable(result.kind);
}

describe('changing a list item', () => {
  it.each<[string, TaskChange, string]>([
    ['- [ ] Pay', { status: 'done' }, '- [x] Pay'],
    ['  * [x] Pay', { status: 'todo' }, '  * [ ] Pay'],
    ['> 1. [ ] Pay', { status: 'started' }, '> 1. [/] Pay'],
    ['- [ ] Pay #waiting', { status: 'todo' }, '- [ ] Pay'],
    ['- [ ] Pay', { status: 'waiting' }, '- [w] Pay'],
    ['- [ ] Pay 📅 2026-07-14 🔁 every week', { day: '2026-08-01' }, '- [ ] Pay 📅 2026-08-01 🔁 every week'],
    ['- [ ] Pay @due(2026-07-14 14:30)', { day: '2026-08-01' }, '- [ ] Pay @due(2026-08-01 14:30)'],
    ['- [ ] Pay [due:: 2026-07-14] #tax', { day: '2026-08-01' }, '- [ ] Pay [due:: 2026-08-01] #tax'],
    ['- [ ] Pay due:: 2026-07-14', { day: null }, '- [ ] Pay'],
    ['- [ ] Pay ⏳ 2026-07-14', { day: '2026-08-01' }, '- [ ] Pay ⏳ 2026-08-01'],
    ['- [ ] Pay ^ab12', { day: '2026-08-01' }, '- [ ] Pay 📅 2026-08-01 ^ab12'],
    [
      '- [ ] Pay\n- [ ] Call [due:: 2026-01-01]',
      { day: '2026-08-01' },
      '- [ ] Pay [due:: 2026-08-01]\n- [ ] Call [due:: 2026-01-01]',
    ],
    [
      '- [ ] Pay\n- [ ] Call @due(2026-01-01)',
      { day: '2026-08-01' },
      '- [ ] Pay @due(2026-08-01)\n- [ ] Call @due(2026-01-01)',
    ],
    ['- [ ] Pay 📅 2026-07-14', { priority: 0 }, '- [ ] Pay 📅 2026-07-14 ⏫'],
    ['- [ ] Pay ⏫ 📅 2026-07-14', { priority: 1 }, '- [ ] Pay 📅 2026-07-14 🔼'],
    ['- [ ] Pay 🔼', { priority: 2 }, '- [ ] Pay'],
  ])('%s with %o becomes %s', (before, set, after) => {
    const title = before.includes('#tax') ? 'Pay #tax' : 'Pay';
    expect(change(before, set, title)).toBe(after);
  });
});

describe('changing a heading with metadata', () => {
  const list = '# Pay\nstatus: to-do | prio: high | added: 2026-06-12\ndeadline: 2026-06-26\n\nText.\n';
  it.each<[TaskChange, string]>([
    [{ status: 'done' }, list.replace('to-do', 'done')],
    [{ status: 'started', priority: 1 }, list.replace('to-do', 'in-progress').replace('high', 'medium')],
    [{ day: '2026-07-01' }, list.replace('2026-06-26', '2026-07-01')],
    [{ day: null }, list.replace('deadline: 2026-06-26\n', '')],
  ])('%o changes only its field', (set, after) => {
    expect(change(list, set, 'Pay')).toBe(after);
  });

  it('uses the words of a French list', () => {
    const french = '# Payer\nstatus: à-faire | prio: haute\n\nTexte.\n';
    expect(change(french, { status: 'done', priority: 1, day: '2026-07-01' }, 'Payer')).toBe(
      '# Payer\nstatus: fait | prio: moyenne\néchéance: 2026-07-01\n\nTexte.\n',
    );
  });

  it('adds a line if there is none for the field, and changes a mark in the heading', () => {
    expect(change('## Pay 📅 2026-07-14\nText.\n', { status: 'done' }, 'Pay')).toBe(
      '## Pay 📅 2026-07-14\nstatus: done\n\nText.\n',
    );
    expect(change('## Pay 📅 2026-07-14\nText.\n', { day: '2026-08-01' }, 'Pay')).toBe(
      '## Pay 📅 2026-08-01\nText.\n',
    );
  });
});

describe('a task that was changed elsewhere', () => {
  const expected = { title: 'Pay', status: 'todo', priority: 2, day: null } as const;

  it('is not changed if its title, status, priority or deadline differ', () => {
    for (const text of ['- [ ] Pay Paul', '- [x] Pay', '- [ ] Pay ⏫', '- [ ] Pay 📅 2026-07-14', ''])
      expect(changeTask(text, 1, expected, { status: 'done' })).toEqual({ kind: 'changed-elsewhere' });
  });

  it('is found in another line only if no other task is the same', () => {
    expect(changeTask('New.\n\n- [ ] Pay\n', 1, expected, { status: 'done' })).toEqual({
      kind: 'changed',
      text: 'New.\n\n- [x] Pay\n',
    });
    expect(changeTask('New.\n\n- [ ] Pay\n- [ ] Pay\n', 1, expected, { status: 'done' })).toEqual({
      kind: 'changed-elsewhere',
    });
  });
});

it('keeps all other lines and line endings, whatever is around the task', () => {
  const line = fc.constantFrom(
    'Text',
    '',
    '# Heading',
    '- [ ] Other',
    'status: x',
    '```',
    'é ⏫',
    '---',
    '> - [x] a',
  );
  const task = fc.constantFrom(
    '- [ ] Pay the bill',
    '* [ ] Pay the bill 📅 2026-01-02',
    '# Pay the bill\ndeadline: 2026-01-02',
  );
  const set = fc.record(
    {
      status: fc.constantFrom(...taskStatuses),
      priority: fc.constantFrom(0, 1, 2),
      day: fc.constantFrom(null, '2026-07-14'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.array(line),
      task,
      fc.array(line),
      set,
      fc.constantFrom('\n', '\r\n'),
      (above, own, below, to, end) => {
        const text = [...above, own.replace('\n', end), ...below].join(end);
        const found = parseTasks(text).find(({ title }) => title === 'Pay the bill');
        if (found === undefined) return;
        const status = taskStatus(found);
        const expected = {
          title: found.title,
          status,
          priority: found.priority,
          day: found.when?.day ?? null,
        };
        const result = changeTask(text, found.lineNumber, expected, to);
        if (result.kind !== 'changed') return;
        const [first, last] = [
          above.map((each) => `${each}${end}`).join(''),
          below.map((each) => `${end}${each}`).join(''),
        ];
        expect(result.text.startsWith(first)).toBe(true);
        // Metadata lines directly below a heading belong to it.
        if (!own.startsWith('#')) expect(result.text.endsWith(last)).toBe(true);
      },
    ),
  );
});
