import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import { laidOut } from '../../../../test/temporary-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import type { VaultPath } from '../vault/index.ts';

const today = Date.parse('2035-07-14T18:30:00');
const stamps = 'updated: 2035-07-14T18:30:00';

/** A vault in which an agent has made these calls in order. */
async function changed(files: Files, calls: [tool: string, input: object][]) {
  const vault = await roomVault(files, () => today);
  for (const [tool, input] of calls) {
    const outcome = await vault.callTool({ tool, input, reader: 'model', origin: 'test', run: 'one' });
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    expect(outcome.result.text).not.toContain('error:');
  }
  return { ...vault, file: (path: string) => readFileSync(join(vault.folder, path), 'utf8') };
}

describe('stamps in an adopted folder', () => {
  it('are not added to an existing note without them', async () => {
    const own = '---\r\ndate: 2026-06-08\r\nupdated: yesterday\r\n---\r\n';
    const { file } = await changed({ 'a.md': `${own}one\r\n`, 'b.md': 'one\n' }, [
      ['read', { paths: ['a.md', 'b.md'] }],
      ['edit', { path: 'a.md', old: 'one', new: 'two' }],
      ['append', { path: 'b.md', content: 'two', position: 'bottom' }],
    ]);
    expect(file('a.md')).toBe(`${own}two\r\n`);
    expect(file('b.md')).toBe('one\n\ntwo\n');
  });

  it('are not added to a note that Keepsake creates', async () => {
    const identity =
      '{"id":"00000000-0000-4000-8000-000000000000","version":1,"upkeep":{"frontmatter":"own"}}';
    const { file } = await changed({ 'a.md': 'a\n', '.keepsake/vault.json': identity }, [
      ['write', { path: 'b.md', content: 'one\n' }],
      ['append', { path: 'b.md', content: 'two', position: 'bottom' }],
      ['write', { path: 'c.md', content: '---\ntags: [x]\n---\none\n' }],
    ]);
    expect(file('b.md')).toBe('one\n\ntwo\n');
    expect(file('c.md')).toBe('---\ntags: [x]\n---\none\n');
  });

  it('are added to a note that Keepsake creates in a folder that never became a vault', async () => {
    const { file } = await changed({ 'a.md': 'a\n' }, [['write', { path: 'b.md', content: 'one\n' }]]);
    expect(file('b.md')).toMatch(/^---\ncreated: .*\nupdated: .*\ntokens: \d+\n---\n/);
  });

  it('are updated in a note that has them, without inventing a creation date', async () => {
    const { file } = await changed(
      { 'a.md': '---\nupdated: 2030-01-01T00:00:00\ntokens: 1\ntitle: A\n---\none\n' },
      [
        ['read', { paths: 'a.md' }],
        ['edit', { path: 'a.md', old: 'one', new: 'two more' }],
      ],
    );
    expect(file('a.md')).toBe(`---\n${stamps}\ntokens: 3\ntitle: A\n---\ntwo more\n`);
  });

  it('are updated after an external edit only if the note has them', async () => {
    const vault = await changed({}, []);
    const set = (text: string): string =>
      vault.changes.stamps
        .applyToExternalEdit(
          { path: 'vault/a.md' as VaultPath, bytes: Buffer.from(text), isNew: true },
          today,
        )
        .toString();
    expect(set('text\n')).toBe('text\n');
    expect(set('---\nupdated: 2030-01-01\n---\ntext\n')).toBe('---\nupdated: 2030-01-01\n---\ntext\n');
    expect(set('---\ncreated: 2029-01-01\nupdated: 2030-01-01\ntokens: 9\n---\ntext\n')).toBe(
      `---\ncreated: 2029-01-01\n${stamps}\ntokens: 2\n---\ntext\n`,
    );
  });
});

describe('the creation date of a note', () => {
  it.each([
    ['is the date that the note states', 'date: 2026-06-08\n', 'created: 2026-06-08T00:00:00'],
    [
      'is the date that another program wrote',
      'created_at: 2026-06-08 09:15\n',
      'created: 2026-06-08T09:15:00',
    ],
    ['is not a date in the future', 'date: 2036-01-01\n', null],
    ['is not today just because the note is edited today', 'title: A\n', null],
  ])('%s', async (_, fields, created) => {
    const vault = await roomVault({ ...laidOut, 'a.md': `---\n${fields}---\none\n` }, () => today);
    utimesSync(join(vault.folder, 'a.md'), today / 1000, today / 1000);
    const path = 'vault/a.md' as VaultPath;
    const note = Buffer.from(`---\n${fields}---\none\n`);
    const edit = { path, bytes: note, isNew: false };
    expect(createdIn(vault.changes.stamps.applyToExternalEdit(edit, today))).toBe(created);
    // The file does not exist, so it has no times.
    const edited = vault.changes.stamps.apply('vault/gone.md' as VaultPath, note, note, today);
    expect(createdIn(edited)).toBe(created);
    // Once a note has stamps, the times of its file come from Keepsake.
    expect(createdIn(vault.changes.stamps.apply(path, edited, edited, today))).toBe(created);
  });

  it('is the oldest timestamp of the file if that is before today', async () => {
    const { file } = await changed({ ...laidOut, 'a.md': 'one\n' }, [
      ['append', { path: 'a.md', content: 'two', position: 'bottom' }],
    ]);
    // The file was created by this test, years before the vault's clock.
    expect(createdIn(Buffer.from(file('a.md')))).toMatch(/^created: 20[23]\d-(?!07-14T18:30)/);
  });

  it('is kept when the whole note is rewritten', async () => {
    const { file } = await changed(
      {
        ...laidOut,
        'a.md': '---\ncreated: 2029-01-01T00:00:00\nupdated: 2030-01-01T00:00:00\ntokens: 1\n---\n\none\n',
      },
      [
        ['read', { paths: 'a.md' }],
        ['write', { path: 'a.md', content: 'all new\n' }],
      ],
    );
    expect(file('a.md')).toMatch(/^---\ncreated: 2029-01-01T00:00:00\nupdated: 2035/);
  });

  it('is the time of the first edit for a note that another program created', async () => {
    const { changes } = await roomVault(laidOut);
    const edit = { path: 'vault/a.md' as VaultPath, bytes: Buffer.from('one\n'), isNew: true };
    expect(createdIn(changes.stamps.applyToExternalEdit(edit, today))).toBe('created: 2035-07-14T18:30:00');
  });
});

function createdIn(note: Buffer): string | null {
  return /^created: .*$/m.exec(note.toString())?.[0] ?? null;
}
