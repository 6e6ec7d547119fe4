import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../packages/vault/src/contract/index.ts';
import { openTokens } from '../../packages/vault/src/server/index.ts';
import { formatCalendar } from '../../packages/vault/src/server/http/format-calendar.ts';
import { listDatedTasks } from '../../packages/vault/src/vault/index.ts';
import { roomVault } from '../room-vault.ts';
import { httpVault } from './http-vault.ts';
import type { HttpVault } from './http-vault.ts';

const now = Date.parse('2026-07-15T08:00:00Z');

/** Parses a calendar with a library of its own. */
function parseCalendar(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  return calendar;
}

function parseEvents(text: string) {
  const calendar = parseCalendar(text);
  return calendar.getAllSubcomponents('vevent').map((each) => {
    const event = new ICAL.Event(each);
    return {
      uid: event.uid,
      summary: event.summary,
      description: event.description,
      start: event.startDate.toString(),
      end: event.endDate.toString(),
      isUtc: event.startDate.zone === ICAL.Timezone.utcTimezone,
    };
  });
}

async function calendarOf(notes: Record<string, string>, zone = 'Europe/Paris'): Promise<string> {
  const { view } = await roomVault(notes);
  return formatCalendar(await listDatedTasks(view), { name: 'notes', zone: createTimeZone(zone), now });
}

describe('the calendar feed', () => {
  it('has a whole-day event for a task and a timed one in UTC for an appointment', async () => {
    const text = await calendarOf({
      'a.md':
        '- [ ] Pay; now, or \\ later 📅 2026-10-31 🔁 every month\n- [x] Done 📅 2026-07-15\n- [w] Wait\n',
      'b.md': '- 2026-07-20 14:30-15:00 Summer\n- 2026-12-20 14:30 Winter\n- 2026-01-01 10:00 Past\n',
      'c.md': '- [ ] Late due:: 2026-02-28\n',
    });
    expect(parseEvents(text).toSorted((a, b) => (a.start < b.start ? -1 : 1))).toEqual([
      {
        uid: expect.stringMatching(/^[0-9a-f]{32}@keepsake$/),
        summary: 'Late',
        description: 'vault/c.md:1',
        start: '2026-02-28',
        end: '2026-03-01',
        isUtc: false,
      },
      {
        uid: expect.stringMatching(/^[0-9a-f]{32}@keepsake$/),
        summary: 'Summer',
        description: 'vault/b.md:1',
        start: '2026-07-20T12:30:00Z',
        end: '2026-07-20T13:00:00Z',
        isUtc: true,
      },
      {
        uid: expect.stringMatching(/^[0-9a-f]{32}@keepsake$/),
        summary: 'Pay; now, or \\ later',
        description: 'vault/a.md:1\n🔁 every month',
        start: '2026-10-31',
        end: '2026-11-01',
        isUtc: false,
      },
      {
        uid: expect.stringMatching(/^[0-9a-f]{32}@keepsake$/),
        summary: 'Winter',
        description: 'vault/b.md:2',
        start: '2026-12-20T13:30:00Z',
        end: '2026-12-20T13:30:00Z',
        isUtc: true,
      },
    ]);
  });

  it('has appointments after midnight and in the hour that clocks skip with their length', async () => {
    const text = await calendarOf({
      'a.md': '- 2026-12-31 23:30-00:30 party\n- 2027-03-28 02:30-03:30 skipped hour\n',
    });
    expect(parseEvents(text)).toMatchObject([
      { start: '2026-12-31T22:30:00Z', end: '2026-12-31T23:30:00Z' },
      { start: '2027-03-28T01:30:00Z', end: '2027-03-28T02:30:00Z' },
    ]);
  });

  it('folds long lines at 75 bytes without breaking a character', async () => {
    const title = `é🔑${'été, '.repeat(30)}fin`;
    const text = await calendarOf({ 'a.md': `- [ ] ${title} 📅 2026-07-15\n` });
    const lines = text.split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\ufffd]/);
    expect(parseEvents(text).map(({ summary }) => summary)).toEqual([title]);
  });

  it('keeps the id of an event when its line moves or its day changes, and tells equal titles apart', async () => {
    const idsOf = async (text: string) =>
      parseEvents(await calendarOf({ 'a.md': text })).map(({ uid }) => uid);
    const [before, ...others] = await idsOf('- [ ] Pay 📅 2026-07-15\n');
    expect(others).toEqual([]);
    expect(await idsOf('New line.\n\n- [ ] Pay 📅 2026-08-15\n')).toEqual([before]);
    const twice = await idsOf('- [ ] Pay 📅 2026-07-15\n- [ ] Pay 📅 2026-07-16\n');
    expect(new Set(twice).size).toBe(2);
    expect(twice).toContain(before);
  });
});

/** The first instants or days of the only event, as a calendar program expands them. */
function expand(text: string, count: number): string[] {
  const calendar = parseCalendar(text);
  const [zone] = calendar.getAllSubcomponents('vtimezone');
  const [event] = calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
  const times = event?.iterator() ?? expect.unreachable();
  const found: string[] = [];
  for (let time = times.next(); found.length < count && time !== undefined; time = times.next()) {
    const zoned = ICAL.Time.fromData(time, zone === undefined ? undefined : new ICAL.Timezone(zone));
    found.push(time.isDate ? time.toString() : new Date(zoned.toUnixTime() * 1_000).toISOString());
  }
  return found;
}

describe('a repeating event of the feed', () => {
  it('is repeated by the calendar, a task from its day and an appointment from its next day', async () => {
    expect(expand(await calendarOf({ 'a.md': '- [ ] Pay 📅 2026-06-30 🔁 every month\n' }), 9)).toEqual([
      '2026-06-30',
      '2026-07-30',
      '2026-08-30',
      '2026-09-30',
      '2026-10-30',
      '2026-11-30',
      '2026-12-30',
      '2027-01-30',
      '2027-02-28',
    ]);
    const rule = 'every 2 weeks on Monday, Friday until 2026-08-14 except 2026-07-24';
    const text = await calendarOf({ 'a.md': `- 2026-01-05 10:00-11:00 Choir 🔁 ${rule}\n` });
    expect(expand(text, 9)).toEqual([
      '2026-07-20T08:00:00.000Z',
      '2026-08-03T08:00:00.000Z',
      '2026-08-07T08:00:00.000Z',
    ]);
  });

  it.each(['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'UTC', 'Africa/Casablanca'])(
    'keeps its local time in %s when clocks change',
    async (name) => {
      const zone = createTimeZone(name);
      const text = await calendarOf({ 'a.md': '- 2020-01-06 09:30-10:00 Stand-up 🔁 every week\n' }, name);
      const found = expand(text, 120);
      expect(found).toHaveLength(120);
      for (const each of found) expect(zone.localTimeOf(Date.parse(each))).toMatch(/T09:30:00$/);
      expect(text.match(/BEGIN:VTIMEZONE/g)?.length ?? 0).toBe(name === 'UTC' ? 0 : 1);
    },
  );

  it('has no rule if the next day depends on when the task is done, or if the rule is not understood', async () => {
    const text = await calendarOf({
      'a.md': '- [ ] Water 📅 2026-07-15 🔁 every day when done\n- 2026-07-20 10:00 Odd 🔁 every blue moon\n',
    });
    expect(parseEvents(text)).toHaveLength(2);
    expect(text).not.toContain('RRULE');
  });
});

describe('a calendar token', () => {
  const files = {
    'a.md': '- [ ] Pay 📅 2026-07-15\n',
    'private/b.md': '- [ ] Secret 📅 2026-07-15\n',
  };
  const createToken = (vault: HttpVault) =>
    vault.get<{ id: string; secret: string; scope: string }>('/tokens', {
      token: vault.owner,
      json: { name: 'phone', scope: 'calendar' },
    });

  it('reads the feed and nothing else, until it is revoked', async () => {
    const vault = await httpVault(files);
    const { id, secret } = await createToken(vault);
    const feed = `/calendar.ics?token=${secret}`;
    const response = await vault.send(feed, { token: null });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(parseEvents(await response.text()).map(({ summary }) => summary)).toEqual(['Pay', 'Secret']);
    const statusOf = async (path: string, token: string | null = null, method = 'GET') =>
      (await vault.send(path, { token, method })).status;
    for (const path of ['/today', '/tree', '/files/a.md', '/status', '//mcp'])
      expect([path, await statusOf(path, secret), await statusOf(`${path}?token=${secret}`)]).toEqual([
        path,
        401,
        401,
      ]);
    expect(await statusOf(feed, null, 'POST')).toBe(401);
    expect(await statusOf('/calendar.ics', secret)).toBe(401);
    expect(await statusOf('/calendar.ics')).toBe(401);
    expect(await statusOf(`/calendar.ics?token=${vault.reader}`)).toBe(401);
    expect(await statusOf('/calendar.ics', vault.reader)).toBe(200);
    expect(JSON.stringify(vault.log)).not.toContain(secret);
    expect((await vault.send(`/tokens/${id}`, { token: vault.owner, method: 'DELETE' })).status).toBe(204);
    expect(await statusOf(feed)).toBe(401);
  });

  it('is stored only as a hash, and shows no file that is hidden from AI', async () => {
    const vault = await httpVault(files);
    const folder = join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.yaml'), "agents:\n  exclude: ['private/**']\n");
    // The configuration is cached for a tenth of a second.
    await sleep(150);
    const { id, secret } = await createToken(vault);
    expect(openTokens(vault.keepsake)().list()).toContainEqual(
      expect.objectContaining({ id, scope: 'calendar', name: 'phone' }),
    );
    expect(openTokens(vault.keepsake)().verify(secret)).toBeNull();
    const [stored] = vault.keepsake.state
      .derive(({ durable }) => [durable.prepare('select * from tokens where id = ?').get(id)])
      .get();
    expect(stored).toMatchObject({ hash: createHash('sha256').update(secret).digest() });
    expect(JSON.stringify(stored)).not.toContain(secret);
    const feed = await vault.send(`/calendar.ics?token=${secret}`, { token: null });
    expect(parseEvents(await feed.text()).map(({ summary }) => summary)).toEqual(['Pay']);
  });
});

describe('GET /today', () => {
  it('returns the lists of a day', async () => {
    const vault = await httpVault({ 'a.md': '- [ ] Pay 📅 2026-07-15\n' });
    expect(await vault.get('/today?day=2026-07-16', { token: vault.reader })).toMatchObject({
      day: '2026-07-16',
      overdue: [{ path: 'vault/a.md', line: 1, title: 'Pay', day: '2026-07-15' }],
      counts: { overdue: 1, due: 0 },
    });
    expect((await vault.send('/today?day=2026-02-31')).status).toBe(422);
  });
});
