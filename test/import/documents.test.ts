import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatLocalTime } from '../../packages/vault/src/contract/index.ts';
import { importVault, picture, undo } from './import-vault.ts';
import { layOut } from '../temporary-vault.ts';
import { filesIn, snapshot } from './snapshot.ts';

const mail = (subject: string, day: number, body: string): string =>
  [
    'From: Landlord <landlord@example.org>',
    'To: me@example.org',
    `Subject: ${subject}`,
    `Date: ${day} Jul 2025 18:30:00 +0200`,
    'Message-ID: <1@example.org>',
    'Content-Type: text/plain; charset=utf-8',
    '',
    body,
    '',
  ].join('\n');

const documents = {
  'readme.md':
    'See [the lease](Lease%20(signed).HTML), [photo](photo.png), ![](plan.svg), [old](broken.pdf).\n',
  'Lease (signed).HTML':
    '<!doctype html><html><head><title>Lease</title></head><body><h1>Lease</h1><p>The rent is 700 euros, due on the first day of each month, and the deposit is two months of it.</p></body></html>',
  'rents.csv': 'month,rent\nJanuary,700\nFebruary,710\n',
  'rents.md': 'my own words\n',
  'todo.txt': 'call the landlord\n',
  'photo.png': picture,
  'plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  'unused.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  'broken.pdf': '%PDF-1.7\nnothing else',
  'setup.exe': 'MZ\0\0',
  'mail/answer.eml': mail('Re: The boiler', 14, 'It is repaired.'),
  'mail/Inbox.mbox': [
    `From a@example.org Mon Jul 14 18:30:00 2025\n${mail('Heating', 14, 'It is cold.')}`,
    `From a@example.org Tue Jul 15 18:30:00 2025\n${mail('Heating', 15, 'Still cold.')}`,
    `From a@example.org Tue Jul 15 18:30:00 2025\n${mail('Heating', 15, 'Still cold.')}`,
    `From a@example.org Tue Jul 15 19:30:00 2025\n${mail('Heating', 15, 'Warm again.')}`,
  ].join('\n'),
};

it('an import converts a folder of documents to Markdown next to the originals, and reports skipped files', async () => {
  const { run, folder, read, keepsake, text } = await importVault(documents);
  const before = snapshot(folder);
  const report = await run();
  expect(report).toMatchObject({
    kind: 'folder',
    added: { notes: 2, pictures: 1, documents: 8, attachments: 1 },
  });
  expect(filesIn(folder)).toEqual(
    [
      'Lease-signed.html',
      'Lease-signed.md',
      'broken.pdf',
      'mail/Inbox/2025-07-14-Heating.eml',
      'mail/Inbox/2025-07-14-Heating.md',
      'mail/Inbox/2025-07-15-Heating-2.eml',
      'mail/Inbox/2025-07-15-Heating-2.md',
      'mail/Inbox/2025-07-15-Heating.eml',
      'mail/Inbox/2025-07-15-Heating.md',
      'mail/answer.eml',
      'mail/answer.md',
      'photo.png',
      'plan.svg',
      'readme.md',
      'rents-2.csv',
      'rents-2.md',
      'rents.md',
      'todo.md',
    ]
      .map((path) => `bucket/notes/${path}`)
      .concat('overview.md'),
  );
  expect(read('bucket/notes/readme.md')).toContain(
    '[the lease](Lease-signed.html), [photo](photo.png), ![](plan.svg), [old](broken.pdf).',
  );
  expect(read('bucket/notes/rents.md')).toContain('my own words');
  const sent = formatLocalTime(Date.parse('2025-07-14T18:30:00+02:00'));
  expect(read('bucket/notes/mail/answer.md')).toContain(`\ncreated: ${sent}\n`);
  expect(await text('search', { queries: ['deposit'], mode: 'fast' })).toContain('Lease-signed.md');
  expect(report.leftOut.map(({ path }) => path).toSorted()).toEqual(['setup.exe', 'unused.svg']);
  expect(report.warnings).toMatchObject([expect.stringContaining('kept broken.pdf unconverted')]);
  expect(await undo(keepsake, report.id)).toBe('written');
  expect(snapshot(folder)).toEqual(before);
});

it('a repeated import adds only the new messages of a mailbox', async () => {
  const { run, source } = await importVault(documents);
  await run();
  const more = `From a@example.org Wed Jul 16 18:30:00 2025\n${mail('Bill', 16, 'Please pay.')}`;
  writeFileSync(join(source, 'mail/Inbox.mbox'), `${documents['mail/Inbox.mbox']}\n${more}`);
  expect(await run()).toMatchObject({ added: { documents: 1 }, replaced: 0 });
});

it('an import accepts a single mailbox file', async () => {
  const { run, source, folder } = await importVault(documents);
  await run({ source: join(source, 'mail/Inbox.mbox'), into: 'bucket/mail' });
  expect(filesIn(folder)).toContain('bucket/mail/Inbox/2025-07-14-Heating.md');
});

it('an import reads a mailbox whose separators have no date, and names one without messages', async () => {
  const { run, folder } = await importVault({
    'old.mbox': 'From - Thu\nFrom: A <a@example.org>\nSubject: one\n\nIt is cold.\n',
    'odd.mbox': '\ufeffFrom - Thu\nFrom: A <a@example.org>\nSubject: one\n\nIt is cold.\n',
  });
  expect((await run()).leftOut).toEqual([
    { path: 'odd.mbox', reason: 'no messages were recognized in this mailbox' },
  ]);
  expect(filesIn(folder)).toContain('bucket/notes/old/one.md');
});

it('an import of a Maildir names its messages without their flags, as the dry run says', async () => {
  const { run, folder, read } = await importVault({
    'mail/cur/1709240.M1P0.host:2,S': mail('Heating', 14, 'It is cold.'),
    'mail/cur/1709240.M1P0.host:2,RS': mail('Re: Heating', 14, 'It is repaired.'),
    'mail/new/1709241.M2P0.mail.example.org': mail('Bill', 15, 'Please pay.'),
    'scans/lease.html?':
      '<!doctype html><html><body><p>The rent is 700 euros, due each month.</p></body></html>',
    'scans/links.md': '[the lease](lease.html%3F), [the bill](../mail/new/1709241.M2P0.mail.example.org)\n',
  });
  const planned = await run({ isDryRun: true });
  expect(planned.added).toMatchObject({ documents: 4, notes: 1 });
  expect(await run()).toMatchObject({ added: planned.added, leftOut: planned.leftOut });
  expect(filesIn(folder)).toEqual([
    'bucket/notes/mail/cur/1709240.M1P0.host-2-RS.eml',
    'bucket/notes/mail/cur/1709240.M1P0.host-2-RS.md',
    'bucket/notes/mail/cur/1709240.M1P0.host-2-S.eml',
    'bucket/notes/mail/cur/1709240.M1P0.host-2-S.md',
    'bucket/notes/mail/new/1709241.M2P0.mail.example.org.eml',
    'bucket/notes/mail/new/1709241.M2P0.mail.example.org.md',
    'bucket/notes/scans/lease.html.html',
    'bucket/notes/scans/lease.html.md',
    'bucket/notes/scans/links.md',
    'overview.md',
  ]);
  expect(read('bucket/notes/scans/links.md')).toContain(
    '[the lease](lease.html.html), [the bill](../mail/new/1709241.M2P0.mail.example.org.eml)',
  );
});

it('an import of a Maildir includes its mail folders, whose names are hidden', async () => {
  const { run, folder } = await importVault({
    'cur/1.host:2,S': mail('Heating', 14, 'It is cold.'),
    '.Sent/dovecot-uidlist': '3 V1 N2\n',
    '.Sent/cur/2.host:2,S': mail('Re: Heating', 14, 'It is repaired.'),
    '.Archive.2025/new/3.host': mail('Bill', 15, 'Please pay.'),
    '.cache/note.md': 'not mail\n',
    'letters/.git/cur/4.host': 'not a mail folder\n',
  });
  const report = await run();
  expect(report.added).toMatchObject({ documents: 3, notes: 0 });
  expect(filesIn(folder).filter((path) => path.endsWith('.md'))).toEqual([
    'bucket/notes/Archive.2025/new/3.host.md',
    'bucket/notes/Sent/cur/2.host-2-S.md',
    'bucket/notes/cur/1.host-2-S.md',
    'overview.md',
  ]);
});

it('a repeated import knows the messages of a Maildir that were read or answered since', async () => {
  const { run, source, folder, keepsake } = await importVault({
    'mail/new/1.host': mail('Heating', 14, 'It is cold.'),
    'mail/cur/2.host:2,': mail('Bill', 15, 'Please pay.'),
  });
  const first = await run();
  const rename = (from: string, to: string): void => renameSync(join(source, from), join(source, to));
  rename('mail/new/1.host', 'mail/cur/1.host:2,S');
  rename('mail/cur/2.host:2,', 'mail/cur/2.host:2,RS');
  const before = filesIn(folder);
  expect(await run()).toMatchObject({ id: null, unchanged: 2 });
  // An earlier version identified a message by its path.
  const { durable } = keepsake.state.databases();
  const identify = durable.prepare('update imported set item = ? where change = ? and item = ?');
  for (const [path, id] of [
    ['mail/new/1.host', 'maildir:mail/1.host'],
    ['mail/cur/2.host:2,', 'maildir:mail/2.host'],
  ])
    expect(identify.run(path, first.id, id).changes).toBe(2);
  expect(await run()).toMatchObject({ id: null, unchanged: 2 });
  layOut(source, { 'mail/cur/3.host:2,S': mail('Lease', 16, 'Please sign.') });
  expect(await run()).toMatchObject({ added: { documents: 1 }, unchanged: 2, replaced: 0 });
  const added = ['eml', 'md'].map((ending) => `bucket/notes/mail/cur/3.host-2-S.${ending}`);
  expect(filesIn(folder)).toEqual([...before, ...added].toSorted());
});

it('an import converts notes in UTF-16 and Windows-1252 to UTF-8, so that they are found', async () => {
  const { run, read, text } = await importVault({
    'utf16.md': Buffer.from('\ufeff# Wörter\n\nKüchenplan\n', 'utf16le'),
    'latin.md': Buffer.from('# Été\n\nChâteau\n', 'latin1'),
    'binary.md': Buffer.from([0, 1, 2, 3]),
  });
  const report = await run();
  expect(report.warnings.toSorted()).toEqual([
    'binary.md is binary data; it was copied unchanged and is not searchable',
    'latin.md: it is not UTF-8 and was read as Windows-1252; check the accents',
    'utf16.md: it was converted from UTF-16 to UTF-8',
  ]);
  expect(read('bucket/notes/utf16.md')).toMatch(/^---\n[^]*\n---\n\n# Wörter\n\nKüchenplan\n$/);
  expect(await text('search', { queries: ['Château'], mode: 'fast' })).toContain('latin.md');
  expect(await run()).toMatchObject({ unchanged: 3 });
});

it('a repeated import replaces a changed document together with its derived files', async () => {
  const { run, source, read, folder } = await importVault(documents);
  await run();
  const names = filesIn(folder);
  writeFileSync(join(source, 'rents.csv'), 'month,rent\nMarch,800\n');
  expect(await run()).toMatchObject({ replaced: 1, added: { documents: 0 } });
  expect(read('bucket/notes/rents-2.md')).toContain('800');
  expect(read('bucket/notes/rents-2.csv')).toBe('month,rent\nMarch,800\n');
  expect(filesIn(folder)).toEqual(names);
});

it('an import caches conversions until it is committed', async () => {
  const { run, state } = await importVault(documents);
  const stopping = new AbortController();
  const stopped = run({
    signal: stopping.signal,
    onProgress: (phase, done) => {
      if (phase === 'converting' && done === 4) stopping.abort(new Error('stopped'));
    },
  });
  await expect(stopped).rejects.toThrow('stopped');
  const kept = readdirSync(join(state, 'imports'));
  expect(kept.length).toBeGreaterThanOrEqual(4);
  expect((await run()).added.documents).toBe(8);
  expect(readdirSync(join(state, 'imports'))).toEqual([]);
});

it('an import lists the events of a calendar in the day and in the feed, and keeps its original', async () => {
  const event = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
  const calendar = [
    'BEGIN:VCALENDAR',
    event('SUMMARY:Choir', 'DTSTART:20260105T100000', 'RRULE:FREQ=WEEKLY', 'EXDATE:20260720T100000'),
    event('SUMMARY:Holiday', 'DTSTART;VALUE=DATE:20260714', 'DTEND;VALUE=DATE:20260718'),
    event('SUMMARY:Dentist', 'DTSTART:20260715T143000', 'DTEND:20260715T150000'),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
  const { run, read, keepsake } = await importVault({
    'home.ics': calendar,
    'a.md': '- 2026-07-15 09:00 Not mine\n',
  });
  const { id } = await run({ into: 'bucket/calendars' });
  expect(read('bucket/calendars/home.ics')).toBe(calendar);
  expect(read('bucket/calendars/home.md')).toMatch(/\ntype: calendar\n[^]*original: home\.ics\n/);
  const on = async (day: string): Promise<string[]> =>
    (await keepsake.today(day)).appointments
      .filter(({ when }) => when?.day === day)
      .map(({ title, when }) => `${when?.time ?? 'whole day'} ${title}`);
  expect(await on('2026-07-13')).toEqual(['10:00 Choir']);
  expect(await on('2026-07-15')).toEqual(['whole day Holiday', '14:30 Dentist']);
  expect(await on('2026-07-18')).toEqual([]);
  expect(await on('2026-07-20')).toEqual([]);
  expect(await on('2026-07-27')).toEqual(['10:00 Choir']);
  expect((await keepsake.datedTasks()).map(({ title }) => title)).toEqual(['Choir', 'Holiday', 'Dentist']);
  expect(await undo(keepsake, id)).toBe('written');
  expect(await on('2026-07-15')).toEqual([]);
});
