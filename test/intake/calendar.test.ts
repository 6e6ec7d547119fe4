import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../packages/vault/src/contract/index.ts';
import { convert } from '../../packages/vault/src/intake/convert.ts';
import { defaultLimits } from '../../packages/vault/src/intake/limits.ts';
import { findOccurrence, parseRecurrence, parseTasks } from '../../packages/vault/src/vault/index.ts';

const now = Date.parse('2026-07-15T08:00:00Z');

async function convertCalendar(text: string, timeZone = 'Europe/Paris') {
  const document = { name: 'home.ics', bytes: new TextEncoder().encode(text) };
  return convert('calendar', document, { stem: 'home', limits: defaultLimits, timeZone, now });
}

const wrap = (...blocks: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:Home', ...blocks, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');

async function linesOf(text: string, zone?: string) {
  const outcome = await convertCalendar(text, zone);
  if (outcome.kind === 'refused') return expect.unreachable(outcome.reason);
  const lines = outcome.markdown.split('\n').filter((line) => line.startsWith('- '));
  return { ...outcome, lines };
}

describe('a calendar becomes a line for each event', () => {
  it.each([
    [['DTSTART:20260714T143000', 'DTEND:20260714T150000'], '- 2026-07-14 14:30-15:00 Choir'],
    [['DTSTART:20260714T143000Z', 'DURATION:PT30M'], '- 2026-07-14 16:30-17:00 Choir'],
    [['DTSTART;TZID=America/New_York:20260714T200000'], '- 2026-07-15 02:00 Choir'],
    [['DTSTART;TZID="/x.example/Europe/Paris":20260714T200000'], '- 2026-07-14 20:00 Choir'],
    [['DTSTART;VALUE=DATE:20260714', 'DTEND;VALUE=DATE:20260715'], '- 2026-07-14 Choir'],
    [
      ['DTSTART;VALUE=DATE:20260714', 'DTEND;VALUE=DATE:20260718'],
      '- 2026-07-14 Choir 🔁 every day until 2026-07-17',
    ],
    [
      ['DTSTART:20260714T090000', 'DTEND:20260717T170000'],
      '- 2026-07-14 09:00 Choir (until 2026-07-17 17:00)',
    ],
    [
      ['DTSTART:20260714T143000', 'LOCATION:Town hall\\, 2nd floor'],
      '- 2026-07-14 14:30 Choir · Town hall, 2nd floor',
    ],
    [['DTSTART:20260714T143000', 'RRULE:FREQ=WEEKLY'], '- 2026-07-14 14:30 Choir 🔁 every week'],
    [
      [
        'DTSTART;TZID=Europe/Paris:20260713T143000',
        'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20261231T225959Z',
      ],
      '- 2026-07-13 14:30 Choir 🔁 every 2 weeks on Monday, Thursday until 2026-12-31',
    ],
    [
      ['DTSTART;TZID=Europe/Paris:20260713T143000', 'RRULE:FREQ=DAILY;UNTIL=20260720T120000Z'],
      '- 2026-07-13 14:30 Choir 🔁 every day until 2026-07-19',
    ],
    [
      ['DTSTART:20260713T143000', 'RRULE:FREQ=DAILY;COUNT=3'],
      '- 2026-07-13 14:30 Choir 🔁 every day until 2026-07-15',
    ],
    [
      ['DTSTART:20260131T143000', 'RRULE:FREQ=MONTHLY'],
      '- 2026-01-31 14:30 Choir 🔁 every month on the 31st',
    ],
    [
      ['DTSTART:20260714T143000', 'RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2'],
      '- 2026-07-14 14:30 Choir 🔁 every month on the 2nd Tuesday',
    ],
    [
      ['DTSTART:20260731T143000', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR'],
      '- 2026-07-31 14:30 Choir 🔁 every month on the last Friday',
    ],
    [['DTSTART;VALUE=DATE:19800714', 'RRULE:FREQ=YEARLY'], '- 1980-07-14 Choir 🔁 every year'],
    [
      [
        'DTSTART;TZID=Europe/Paris:20260706T100000',
        'RRULE:FREQ=WEEKLY',
        'EXDATE:20260713T080000Z',
        'EXDATE;VALUE=DATE:20260720',
      ],
      '- 2026-07-06 10:00 Choir 🔁 every week except 2026-07-13, 2026-07-20',
    ],
  ])('%j', async (lines, expected) => {
    const found = await linesOf(wrap(event('UID:1', 'SUMMARY:Choir', ...lines)));
    expect(found.lines).toEqual([expected]);
    expect(found.warnings).toEqual([]);
    expect(found).toMatchObject({ metadata: { type: 'calendar', title: 'Home' } });
  });

  it('uses the zones that a calendar defines itself', async () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Romance Standard Time',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ].join('\r\n');
    const own = event(
      'SUMMARY:Choir',
      'DTSTART;TZID=Romance Standard Time:20260713T140000',
      'RRULE:FREQ=WEEKLY;UNTIL=20261207T130000Z',
    );
    expect((await linesOf(wrap(zone, own))).lines).toEqual([
      '- 2026-07-13 14:00 Choir 🔁 every week until 2026-12-07',
    ]);
    expect((await linesOf(wrap(zone, own), 'UTC')).lines[0]).toBe('- 2026-07-13 12:00 Choir');
  });

  it('lists an event that replaces one of a series, and a cancelled one not', async () => {
    const { lines, warnings } = await linesOf(
      wrap(
        event('UID:1', 'SUMMARY:Choir', 'DTSTART:20260706T100000', 'RRULE:FREQ=WEEKLY'),
        event('UID:1', 'SUMMARY:Choir at ten', 'RECURRENCE-ID:20260713T100000', 'DTSTART:20260714T220000'),
        event('UID:2', 'SUMMARY:Off', 'DTSTART:20260713T100000', 'STATUS:CANCELLED'),
      ),
    );
    expect(lines).toEqual([
      '- 2026-07-06 10:00 Choir 🔁 every week except 2026-07-13',
      '- 2026-07-14 22:00 Choir at ten',
    ]);
    expect(warnings).toEqual(['1 event left out because of cancellation.']);
  });

  it('lists the dates of a repetition that a line cannot express, at their local time, and says so', async () => {
    const other = event('SUMMARY:Call', 'DTSTART;TZID=America/New_York:20260105T100000', 'RRULE:FREQ=WEEKLY');
    const { lines, warnings } = await linesOf(wrap(other));
    expect(lines).toContain('- 2026-03-02 16:00 Call');
    expect(lines).toContain('- 2026-03-09 15:00 Call');
    expect(lines.at(0)).toBe('- 2028-01-03 16:00 Call');
    expect(warnings.join()).toMatch(/1 event cannot be one line.*until in two years/);
    const mothers = await linesOf(
      wrap(event('SUMMARY:Mother', 'DTSTART;VALUE=DATE:20260510', 'RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=2SU')),
    );
    expect(mothers.lines).toEqual(['- 2028-05-14 Mother', '- 2027-05-09 Mother', '- 2026-05-10 Mother']);
    const hourly = await linesOf(wrap(event('SUMMARY:Pill', 'DTSTART:20260714T100000', 'RRULE:FREQ=HOURLY')));
    expect(hourly.lines).toEqual(['- 2026-07-14 10:00 Pill']);
    expect(hourly.warnings).toEqual([expect.stringContaining('unsupported repetition')]);
  });

  it('keeps the other events if one is damaged', async () => {
    const { lines, warnings } = await linesOf(
      wrap(
        event('SUMMARY:Good', 'DTSTART:20260714T100000'),
        event('SUMMARY:No start'),
        event('SUMMARY:Odd', 'DTSTART:20260231T100000'),
        event('DTSTART;=;:x'),
        event(
          'SUMMARY:Also good',
          'nonsense',
          'DTSTART:20260714T110000',
          'X-A;=;:x',
          'BEGIN:VALARM',
          'SUMMARY:Bell',
          'END:VALARM',
        ),
        'BEGIN:VEVENT\r\nSUMMARY:Without end\r\nDTSTART:20260714T120000',
      ),
    );
    expect(lines).toEqual([
      '- 2026-07-14 10:00 Good',
      '- 2026-07-14 11:00 Also good',
      '- 2026-07-14 12:00 Without end',
    ]);
    expect(warnings).toEqual(['3 events could not be read; the original is kept.']);
    expect(await convertCalendar(wrap())).toMatchObject({ kind: 'refused', code: 'empty' });
  });
});

it('a title of others is never read as a date, a repetition, a mark or a comment', async () => {
  const pieces = fc.constantFrom(
    '📅 2026-01-01',
    '🔁 every day',
    'due: 2026-01-01',
    '(due:: 2026-01-01)',
    '[repeat:: every day]',
    '@due(2026-01-01)',
    '09:30',
    '-10:00',
    '%%',
    '<!--',
    '```',
    '#tag',
    '#waiting',
    '^block',
    '[[link]]',
    '![](x)',
    '[x]',
    '- [ ] task',
    '🆔 a',
    '\\n',
    '\\;',
    'é',
    ' ',
    'Choir',
    '2026-02-02',
    '::',
    '\u202e',
    '\ud800',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 6 }), fc.boolean(), async (parts, isTimed) => {
      const start = isTimed ? 'DTSTART:20260714T143000' : 'DTSTART;VALUE=DATE:20260714';
      const { markdown } = await linesOf(
        wrap(event(`SUMMARY:${parts.join(' ')}`, start), event('SUMMARY:Last', 'DTSTART:20260701T100000')),
      );
      const found = parseTasks(`${markdown}\n`, 'calendar');
      expect(found).toHaveLength(2);
      expect(found.map(({ isEvent, repeat }) => [isEvent, repeat])).toEqual([
        [true, null],
        [true, null],
      ]);
      expect(found.find(({ title }) => title !== 'Last')?.when ?? found[1]?.when).toMatchObject({
        day: '2026-07-14',
        time: isTimed ? '14:30' : null,
      });
    }),
  );
});

it('a repetition is listed on the days that another implementation finds', async () => {
  const rules = fc.tuple(
    fc.constantFrom(
      'FREQ=DAILY',
      'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR',
      'FREQ=WEEKLY',
      'FREQ=WEEKLY;BYDAY=MO,WE,SU',
      'FREQ=MONTHLY',
      'FREQ=MONTHLY;BYMONTHDAY=15',
      'FREQ=MONTHLY;BYDAY=1MO,-1FR',
      'FREQ=YEARLY',
      'FREQ=YEARLY;BYMONTH=5;BYDAY=2SU',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    ),
    fc.constantFrom('', ';INTERVAL=2', ';INTERVAL=3'),
    fc.constantFrom('', ';COUNT=7', ';UNTIL=20261003T080000Z'),
  );
  const starts = fc.integer({ min: 0, max: 200 }).map((days) => addDays('2026-01-01', days));
  await fc.assert(
    fc.asyncProperty(rules, starts, async ([base, interval, end], day) => {
      fc.pre(!(base.includes('BYDAY=MO,TU') && interval !== ''));
      const start = ICAL.Recur.fromString(base).iterator(ICAL.Time.fromDateString(day)).next().toString();
      fc.pre(Number(start.slice(8)) <= 28 && (start <= '2026-10-03' || !end.includes('UNTIL')));
      const times = `DTSTART;TZID=Europe/Paris:${start.replaceAll('-', '')}T100000`;
      const { lines } = await linesOf(wrap(event('SUMMARY:Choir', times, `RRULE:${base}${interval}${end}`)));
      const listed = parseTasks(`${lines.join('\n')}\n`, 'calendar').flatMap((task) =>
        listDays(task, '2027-12-31'),
      );
      const recur = ICAL.Recur.fromString(`${base}${interval}${end.replace('T080000Z', '')}`);
      const iterator = recur.iterator(ICAL.Time.fromDateString(start));
      const expected: string[] = [];
      for (
        let each = iterator.next();
        each !== null && each.toString() <= '2027-12-31';
        each = iterator.next()
      )
        expected.push(each.toString());
      expect(listed.toSorted()).toEqual(expected);
    }),
  );
});

/** The days of a line until another one. */
function listDays({ when, repeat }: ReturnType<typeof parseTasks>[number], until: string): string[] {
  const recurrence = repeat === null ? null : parseRecurrence(repeat);
  if (when === null || recurrence === null) return when === null || when.day > until ? [] : [when.day];
  const days: string[] = [];
  for (let day = findOccurrence(recurrence, when.day, when.day); day !== null && day <= until;) {
    days.push(day);
    day = findOccurrence(recurrence, when.day, addDays(day, 1));
  }
  return days;
}

it('tasks and journal entries of a calendar are named as not imported', async () => {
  const task = ['BEGIN:VTODO', 'SUMMARY:Pay', 'DUE:20260714T143000', 'END:VTODO'].join('\r\n');
  const { warnings } = await linesOf(wrap(event('SUMMARY:Choir', 'DTSTART:20260714T143000'), task));
  expect(warnings).toEqual(['1 task or journal entry was not imported; the original is kept.']);
  const outcome = await convertCalendar(wrap(task));
  expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('only tasks') });
});

it('a repetition of any kind is converted in bounded time, to lines of the event', async () => {
  const rule = fc.record({
    freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'HOURLY'),
    interval: fc.constantFrom(0, 1, 2, 5, 99_999_999),
    parts: fc.subarray([
      'BYDAY=MO,FR',
      'BYDAY=2TU',
      'BYMONTHDAY=30',
      'BYMONTHDAY=-1',
      'BYMONTH=2',
      'BYSETPOS=-1',
      'COUNT=5',
      'UNTIL=20261231T000000Z',
      'BYHOUR=3',
      'WKST=SU',
    ]),
  });
  await fc.assert(
    fc.asyncProperty(rule, async ({ freq, interval, parts }) => {
      const text = [`FREQ=${freq}`, `INTERVAL=${interval}`, ...parts].join(';');
      const outcome = await convertCalendar(
        wrap(event('SUMMARY:Choir', 'DTSTART:20260131T100000', `RRULE:${text}`)),
      );
      if (outcome.kind === 'refused') return;
      for (const { when, title, isEvent } of parseTasks(outcome.markdown, 'calendar'))
        expect([when?.time, title, isEvent]).toEqual(['10:00', 'Choir', true]);
    }),
  );
});
