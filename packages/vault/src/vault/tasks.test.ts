import { describe, expect, it } from 'vitest';
import { createBufferSource } from './byte-source.ts';
import { isUnfinished, parseTaskGroups, parseTasks, readTaskGroups } from './tasks.ts';

const onDay = (day: string, time: string | null = null, endTime: string | null = null) => ({
  day,
  time,
  endTime,
});

function only(line: string) {
  const [task, ...others] = parseTasks(line);
  expect(others).toEqual([]);
  return task;
}

it('parses the headings of a task list with metadata lines in English and French', () => {
  const text = [
    '---',
    'updated: 2025-07-14T10:00:00',
    '---',
    '',
    'Live tasks.',
    '',
    '# Call the roofer',
    'status: done | prio: high',
    'deadline: 2026-06-01',
    '',
    '# Payer',
    'statut: en-cours | prio: haute | échéance: 2026-06-20',
    '',
    'Note: it is dear.',
    '',
    '',
    '# Paint',
    '',
  ].join('\n');
  const tasks = parseTasks(text, 'task-list');
  expect(tasks).toEqual([
    {
      form: 'heading',
      line: '# Call the roofer',
      lineNumber: 7,
      title: 'Call the roofer',
      metadataLines: ['status: done | prio: high', 'deadline: 2026-06-01'],
      state: 'done',
      isStarted: false,
      priority: 0,
      when: onDay('2026-06-01'),
      repeat: null,
    },
    {
      form: 'heading',
      line: '# Payer',
      lineNumber: 11,
      title: 'Payer',
      metadataLines: ['statut: en-cours | prio: haute | échéance: 2026-06-20'],
      state: 'open',
      isStarted: true,
      priority: 0,
      when: onDay('2026-06-20'),
      repeat: null,
    },
    {
      form: 'heading',
      line: '# Paint',
      lineNumber: 17,
      title: 'Paint',
      metadataLines: [],
      state: 'open',
      isStarted: false,
      priority: 2,
      when: null,
      repeat: null,
    },
  ]);
  expect(tasks.filter(isUnfinished).map(({ title }) => title)).toEqual(['Payer', 'Paint']);
  expect(parseTasks(text).map(({ title }) => title)).toEqual(['Call the roofer', 'Payer']);
  expect(parseTasks('')).toEqual([]);
});

describe('a date', () => {
  it.each([
    ['- [ ] Pay 📅 2026-07-14', onDay('2026-07-14')],
    ['* [ ] Pay 🗓️2026-07-14 ⏫', onDay('2026-07-14')],
    ['1. [ ] Pay due:: 2026-07-14', onDay('2026-07-14')],
    ['  - [ ] Pay [due:: 2026-07-14] ^abc', onDay('2026-07-14')],
    ['> - [ ] Pay (deadline:: [[2026-07-14]])', onDay('2026-07-14')],
    ['+ [/] Pay @due(2026-07-14 14:30)', onDay('2026-07-14', '14:30')],
    ['- [ ] Pay due:2026-07-14', onDay('2026-07-14')],
    ['- [ ] Pay e\u0301che\u0301ance: 2026-07-14 à 9h', onDay('2026-07-14', '09:00')],
    ['- [ ] Pay ⏳ 2026-07-14', onDay('2026-07-14')],
    ['- [ ] Pay ⏳ 2026-07-10 📅 2026-07-14 ⏰ 8:05', onDay('2026-07-14', '08:05')],
    ['- [ ] Pay 📅 2026-07-14 14:30-15:45', onDay('2026-07-14', '14:30', '15:45')],
    ['- [ ] Pay 📅 2026-07-14 14:30-13:00', onDay('2026-07-14', '14:30')],
    ['- [ ] Pay 🛫 2026-07-01 ➕ 2026-06-01', null],
    ['- [ ] Pay 📅 2026-02-31', null],
    ['## Pay deadline: 2026-07-14', onDay('2026-07-14')],
    ['### Pay\n\ndeadline: 2026-07-14 25:00', onDay('2026-07-14')],
    ['## Pay\ndue:: 2026-07-14T14:30', onDay('2026-07-14', '14:30')],
  ])('is read from %j', (text, when) => {
    expect(only(text)).toMatchObject({ when, title: 'Pay' });
  });

  it.each(['overdue: 2026-07-14', 'Subdue 2026-07-14'])('is not read from %j', (text) => {
    expect(only(`- [ ] ${text}`)).toMatchObject({ when: null, title: text });
  });
});

describe('a state', () => {
  it.each([
    ['- [ ] a', 'open'],
    ['- [/] a', 'open'],
    ['- [x] a ✅ 2026-07-01', 'done'],
    ['- [X] a', 'done'],
    ['- [-] a ❌ 2026-07-01', 'cancelled'],
    ['- [w] a', 'waiting'],
    ['- [ ] a #waiting', 'waiting'],
    ['- [x] a #en-attente', 'done'],
    ['# a\nstatus: en-attente | prio: haute', 'waiting'],
    ['# a\nstatus: waiting for Paul', 'waiting'],
    ['# a\nstatut: annulée', 'cancelled'],
    ['# a\nstatus: à-faire', 'open'],
  ])('is read from %j', (text, state) => {
    expect(only(text)).toMatchObject({ state, title: 'a' });
  });
});

it('keeps the words of a repetition and takes priority, marks and links out of the title', () => {
  expect(only('- [ ] Water [[Plants|the plants]] 🔁 every week ⏫ 📅 2026-07-14 [x:: y]')).toMatchObject({
    title: 'Water the plants',
    repeat: 'every week',
    priority: 0,
  });
  expect(only('- [ ] Water 🔼 [repeat:: every 2 days]')).toMatchObject({
    repeat: 'every 2 days',
    priority: 1,
  });
  expect(only('# Water\ndeadline: 2026-07-14 | repeat: tous les mois')).toMatchObject({
    repeat: 'tous les mois',
  });
  expect(only('- [ ] Water every week 📅 2026-07-14')).toMatchObject({ title: 'Water every week' });
});

it('finds appointments in lines that start with a day and a time or have a due mark with a time', () => {
  const text = [
    '- 2026-07-14 14:30 Dentist',
    '2026-07-14 14h30–15h00: Call',
    '## 2026-07-15T09:00 Train',
    '- Concert 📅 2026-07-16 20:00',
    '- 2026-07-14 no time',
    'On 2026-07-14 14:30 it rained.',
    '- 2026-07-14 14:30',
  ].join('\n');
  expect(parseTasks(text).map(({ form, title, when }) => [form, title, when?.time, when?.endTime])).toEqual([
    ['line', 'Dentist', '14:30', null],
    ['line', 'Call', '14:30', '15:00'],
    ['line', 'Train', '09:00', null],
    ['line', 'Concert', '20:00', null],
  ]);
});

it('keeps the end of an appointment after midnight, but of no longer one than half a day', () => {
  const text =
    '- 2026-12-31 23:30-00:30 party\n- 2026-12-31 14:00-13:00 typo\n- 2026-12-31 14:00-14:00 moment\n';
  expect(parseTasks(text).map(({ when }) => when)).toEqual([
    onDay('2026-12-31', '23:30', '00:30'),
    onDay('2026-12-31', '14:00'),
    onDay('2026-12-31', '14:00'),
  ]);
});

it.each([
  ['- [ ] Pay 📅 2027-02-29', '2027-02-29'],
  ['- [ ] Pay due:: 2026-02-31 09:00', '2026-02-31'],
  ['- [ ] Pay @due(2026-13-01)', '2026-13-01'],
  ['- [ ] Pay ⏳ 2026-04-31', '2026-04-31'],
  ['# Pay\ndeadline: 2026-06-31', '2026-06-31'],
  ['# Pay 📅 2026-06-31', '2026-06-31'],
  ['- 2026-02-31 14:30 Pay', '2026-02-31'],
])('keeps a day that does not exist in %j', (text, invalidDay) => {
  expect(only(text)).toMatchObject({ title: 'Pay', when: null, invalidDay });
  expect(parseTaskGroups(text).dated).toHaveLength(1);
  expect(parseTaskGroups(text.replace('[ ]', '[x]')).dated).toHaveLength(text.includes('[ ]') ? 0 : 1);
});

it('takes no line without a time for an appointment because its day does not exist', () => {
  expect(parseTasks('- 2026-02-31 is no day\n')).toEqual([]);
  expect(only('# Pay 📅 2026-06-30\ndeadline: 2026-06-31')).toMatchObject({ when: onDay('2026-06-30') });
});

it('ignores code, comments, links and frontmatter', () => {
  const text =
    '---\ndue: 2026-07-14\n---\n```\n- [ ] a 📅 2026-07-14\n```\n<!--\n- [ ] b 📅 2026-07-14\n-->\n- [x](y) 2026-07-14\n';
  expect(parseTasks(text)).toEqual([]);
});

it('separates unfinished tasks with a date or that wait, and appointments, from other tasks', () => {
  const text = '- [ ] a\n- [ ] b 📅 2026-07-14\n- [x] c 📅 2026-07-14\n- [w] d\n2026-07-14 9:00 e\n';
  const { dated, other } = parseTaskGroups(text);
  expect(dated.map(({ title, lineNumber }) => [title, lineNumber])).toEqual([
    ['b', 2],
    ['d', 4],
    ['e', 5],
  ]);
  expect(other.map(({ title, lineNumber }) => [title, lineNumber])).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
});

it('finds the first 5,000 appointments of a note, and every task', async () => {
  const log = Array.from({ length: 5_001 }, (_, index) => `2026-07-14 08:00 event ${index}\n`).join('');
  const text = `${log}- [ ] b 📅 2026-07-14\n`;
  const groups = parseTaskGroups(text);
  expect(groups.dated.slice(-2).map(({ title }) => title)).toEqual(['event 4999', 'b']);
  expect(await readTaskGroups(createBufferSource(Buffer.from(text)))).toEqual(groups);
});

it('reads the same tasks from a large file in pieces', async () => {
  const filler = `${'é'.repeat(700)}\n`.repeat(1_000);
  const text = `---\nx: 1\n---\n# a\r\ndeadline: 2026-07-14\r\n${filler}- [ ] b 📅 2026-07-14\n${filler}- [w] c`;
  expect(await readTaskGroups(createBufferSource(Buffer.from(text)))).toEqual(parseTaskGroups(text));
  expect(parseTaskGroups(text).dated.map(({ lineNumber }) => lineNumber)).toEqual([4, 1_006, 2_007]);
});

it('every list item of a calendar note that starts with a day is an event, also without a time', () => {
  const lines = '- 2026-07-14 Holiday\n- 2026-07-14: 15:00 call\n- Text 2026-07-14\n2026-07-14 Text\n';
  const found = (text: string) =>
    parseTaskGroups(text).dated.map(({ title, when, isEvent }) => [title, when?.time, isEvent]);
  expect(found(`---\ntype: calendar\n---\n\n${lines}`)).toEqual([
    ['Holiday', null, true],
    ['15:00 call', null, true],
  ]);
  expect(found(lines)).toEqual([]);
});
