import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeTask, taskStatus, taskStatuses } from './change-task.ts';
import type { TaskChange } from './change-task.ts';
import { parseTasks } from './tasks.ts';

const today = '2026-07-16';

/** Changes the task in the only line that contains this text. */
function change(text: string, set: TaskChange, title: string): string {
  const task = parseTasks(text).find((each) => each.title === title);
  if (task === undefined) return expect.unreachable(`no task ${title}`);
  const expected = { title, status: taskStatus(task), priority: task.priority, day: task.when?.day ?? null };
  const result = changeTask(text, task.lineNumber, expected, { ...set, today });
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
      expect(changeTask(text, 1, expected, { status: 'done', today })).toEqual({ kind: 'changed-elsewhere' });
  });

  it('is found in another line only if no other task is the same', () => {
    expect(changeTask('New.\n\n- [ ] Pay\n', 1, expected, { status: 'done', today })).toEqual({
      kind: 'changed',
      text: 'New.\n\n- [x] Pay\n',
      repeat: null,
    });
    expect(changeTask('New.\n\n- [ ] Pay\n- [ ] Pay\n', 1, expected, { status: 'done', today })).toEqual({
      kind: 'changed-elsewhere',
    });
  });
});

describe('completing a repeating task', () => {
  const done = (text: string, set: TaskChange = { status: 'done' }) => {
    const task = parseTasks(text)[0] ?? expect.unreachable('no task');
    const result = changeTask(text, task.lineNumber, { text: task.line }, { ...set, today });
    return result.kind === 'changed' ? result : expect.unreachable(result.kind);
  };

  it.each([
    [
      '- [ ] Pay 🔁 every week 📅 2026-07-14',
      '- [ ] Pay 🔁 every week 📅 2026-07-21\n- [x] Pay 🔁 every week 📅 2026-07-14',
    ],
    [
      '  > 1. [/] Pay 🔁 every month 🛫 2026-01-24 ⏳ 2026-01-30 📅 2026-01-31 ^id',
      '  > 1. [ ] Pay 🔁 every month 🛫 2026-02-21 ⏳ 2026-02-27 📅 2026-02-28\n  > 1. [x] Pay 🔁 every month 🛫 2026-01-24 ⏳ 2026-01-30 📅 2026-01-31 ^id',
    ],
    [
      '- [ ] Pay 🔁 every 2 days when done ➕ 2026-01-01 📅 2026-07-01 🆔 a1 ⛔ b2',
      '- [ ] Pay 🔁 every 2 days when done ➕ 2026-07-16 📅 2026-07-18\n- [x] Pay 🔁 every 2 days when done ➕ 2026-01-01 📅 2026-07-01 🆔 a1 ⛔ b2',
    ],
    [
      '- [ ] Pay [repeat:: every year] [due:: 2024-02-29]',
      '- [ ] Pay [repeat:: every year] [due:: 2025-02-28]\n- [x] Pay [repeat:: every year] [due:: 2024-02-29]',
    ],
    ['- [ ] Pay 🔁 every day', '- [ ] Pay 🔁 every day\n- [x] Pay 🔁 every day'],
    [
      '- [ ] Pay 🛫 2026-07-14 🔁 every day',
      '- [ ] Pay 🛫 2026-07-15 🔁 every day\n- [x] Pay 🛫 2026-07-14 🔁 every day',
    ],
    ['- [w] Pay #waiting 🔁 every day', '- [ ] Pay 🔁 every day\n- [x] Pay 🔁 every day'],
    [
      '# Pay\nstatus: in-progress | prio: high | added: 2026-06-12 | repeat: every month\ndeadline: 2026-06-30 14:00\n\nBy transfer.\n',
      '# Pay\nstatus: to-do | prio: high | added: 2026-07-16 | repeat: every month\ndeadline: 2026-07-30 14:00\n\n# Pay\nstatus: done | prio: high | added: 2026-06-12 | repeat: every month\ndeadline: 2026-06-30 14:00\n\nBy transfer.\n',
    ],
    [
      '# Payer\n\nstatut: à-faire\nrécurrence: every week\néchéance: 2026-07-14\n',
      '# Payer\n\nstatut: à-faire\nrécurrence: every week\néchéance: 2026-07-21\n\n# Payer\n\nstatut: fait\nrécurrence: every week\néchéance: 2026-07-14\n',
    ],
    [
      '## Pay 📅 2026-07-14 🔁 every week\nText.\n',
      '## Pay 📅 2026-07-21 🔁 every week\nstatus: to-do\n\n## Pay 📅 2026-07-14 🔁 every week\nstatus: done\n\nText.\n',
    ],
  ])('%s becomes %s', (before, after) => {
    for (const end of ['\n', '\r\n']) {
      const above = 'Text.\n\n';
      const result = done((above + before).replaceAll('\n', end));
      expect(result.text).toBe((above + after).replaceAll('\n', end));
      expect(result.repeat).toMatchObject({ kind: 'repeated' });
    }
  });

  it('names the day of the next task, which counts from a deadline that changes with it', () => {
    const line = '- [ ] Pay 🔁 every week 📅 2026-07-14';
    expect(done(line).repeat).toEqual({ kind: 'repeated', rule: 'every week', day: '2026-07-21' });
    expect(done(line, { status: 'done', day: '2026-08-01' }).text).toBe(
      '- [ ] Pay 🔁 every week 📅 2026-08-08\n- [x] Pay 🔁 every week 📅 2026-08-01',
    );
  });

  it('only completes a task whose rule is not understood or has ended, and says so', () => {
    for (const [rule, kind] of [
      ['every blue moon', 'unknown'],
      ['every day until 2026-07-14', 'ended'],
    ] as const)
      expect(done(`- [ ] Pay 🔁 ${rule} 📅 2026-07-14`)).toEqual({
        kind: 'changed',
        text: `- [x] Pay 🔁 ${rule} 📅 2026-07-14`,
        repeat: { kind, rule, day: null },
      });
    expect(done('- [ ] Pay 🔁 every day 🛫 2026-99-99').repeat).toMatchObject({ kind: 'unknown' });
  });

  it('adds nothing if it is cancelled, reopened or was done before', () => {
    const line = '- [ ] Pay 🔁 every week 📅 2026-07-14';
    expect(done(line, { status: 'cancelled' })).toMatchObject({
      text: line.replace('[ ]', '[-]'),
      repeat: null,
    });
    const ticked = line.replace('[ ]', '[x]');
    expect(done(ticked, { status: 'todo' })).toMatchObject({ text: line, repeat: null });
    expect(done(ticked)).toMatchObject({ text: ticked, repeat: null });
  });

  it('states the day on which it was done if other tasks of the note do', () => {
    expect(done('- [ ] Pay 🔁 every week 📅 2026-07-14 ^a\n- [x] Old ✅ 2026-01-02\n').text).toBe(
      '- [ ] Pay 🔁 every week 📅 2026-07-21\n- [x] Pay 🔁 every week 📅 2026-07-14 ✅ 2026-07-16 ^a\n- [x] Old ✅ 2026-01-02\n',
    );
    expect(done('- [ ] Pay [due:: 2026-07-14]\n- [x] Old [completion:: 2026-01-02]').text).toContain(
      '- [x] Pay [due:: 2026-07-14] [completion:: 2026-07-16]\n',
    );
    expect(done('- [x] Old ✅ 2026-01-02\n', { status: 'todo' }).text).toBe('- [ ] Old\n');
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
        const result = changeTask(text, found.lineNumber, expected, { ...to, today });
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
