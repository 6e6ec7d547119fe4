import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { RoomVault } from '../../../../test/room-vault.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import { createShownLines } from './shown-lines.ts';

const numbered = (count: number): string =>
  `${Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')}\n`;

/** Calls tools in one run, each with an immediate commit. */
function session(vault: RoomVault): (tool: string, input: unknown) => Promise<string> {
  return async (tool, input) => {
    const outcome = await vault.callTool({ tool, input, reader: 'model', origin: 'test', run: 'one' });
    return outcome.kind === 'result' ? outcome.result.text : outcome.message;
  };
}

async function opened(text: string) {
  const vault = await roomVault({ 'a.md': text });
  const put = (changed: string): void => writeFileSync(join(vault.folder, 'a.md'), changed);
  return { vault, call: session(vault), put };
}

const stamped = `---\ncreated: 2025-07-14T10:00:00\nupdated: 2025-07-14T10:00:00\ntokens: 1\n---\n\n`;

describe('edit', () => {
  it('replaces only lines that search has shown', async () => {
    const far = Array.from({ length: 900 }, (_, index) => `filler ${index}`).join('\n');
    const { call } = await opened(`${stamped}# Boiler\nThe boiler is old.\n\n# Rest\n${far}\n`);
    expect(await call('search', { queries: ['boiler'], mode: 'fast' })).toContain('8  | The boiler is old.');
    expect(await call('edit', { path: 'a.md', old: '38 | filler 27', new: 'x' })).toBe(
      'error: vault/a.md: lines 38-38 have not been shown; read vault/a.md:38-38 first',
    );
    expect(await call('edit', { path: 'a.md', old: '8  | The boiler is old.', new: 'It is new.' })).toContain(
      'edited vault/a.md',
    );
  });

  it('does not count a line that search truncated as shown', async () => {
    const { call } = await opened(`${stamped}# Boiler\nThe boiler ${'is old '.repeat(900)}.\nEnd.\n`);
    expect(await call('search', { queries: ['boiler'], mode: 'fast' })).toContain('more characters)');
    expect(await call('edit', { path: 'a.md', old: 'The boiler', new: 'A' })).toContain(
      'read vault/a.md:8-8',
    );
    expect(await call('edit', { path: 'a.md', old: '9  | End.', new: 'Over.' })).toContain('edited');
  });

  it('replaces lines that concat has shown', async () => {
    const { call } = await opened(`${stamped}${numbered(30)}`);
    await call('concat', { files: [{ path: 'a.md', lines: '10-11' }] });
    expect(await call('edit', { path: 'a.md', old: '10 | line 4\n11 | line 5', new: 'x' })).toContain(
      'edited',
    );
  });

  it('replaces lines that its earlier changes moved or showed', async () => {
    const { call } = await opened(`${stamped}${numbered(30)}`);
    await call('read', { paths: 'a.md:10-20' });
    await call('edit', { path: 'a.md', old: '10 | line 4', new: 'four\nand a half' });
    expect(await call('edit', { path: 'a.md', old: '20 | line 14', new: 'x' })).toContain(
      'moved from 20 to 21',
    );
    expect(await call('edit', { path: 'a.md', old: '24 | line 17', new: 'x' })).toContain('edited');
    expect(await call('edit', { path: 'a.md', old: '34 | line 27', new: 'x' })).toContain(
      'read vault/a.md:34-34',
    );
  });

  it('names exactly the lines of a range that were not shown', async () => {
    const { call } = await opened(`${stamped}${numbered(30)}`);
    await call('read', { paths: 'a.md', head: 25 });
    const old = '8  | line 2\n9  | line 3\n10 | line 4\n11 | line 5';
    const refused = await call('edit', { path: 'a.md', old, new: 'x' });
    const [, missing] = /read (\S+) first/.exec(refused) ?? [];
    expect(missing).toMatch(/^vault\/a\.md:\d+-11$/);
    await call('read', { paths: missing });
    expect(await call('edit', { path: 'a.md', old, new: 'x' })).toContain('edited');
  });

  it('distinguishes equal lines by their numbers', async () => {
    const { call } = await opened(`${stamped}same\n${numbered(20)}same\n`);
    await call('read', { paths: 'a.md:7' });
    expect(await call('edit', { path: 'a.md', old: '28 | same', new: 'x' })).toContain(
      'read vault/a.md:28-28',
    );
  });

  it('does not require shown lines when the caller passes the revision', async () => {
    const { vault } = await opened(numbered(3));
    const read = await vault.call('read', { paths: 'a.md' });
    const { files } = (read.kind === 'result' ? read.result.value : {}) as { files?: { revision: string }[] };
    const outcome = await vault.callTool({
      tool: 'edit',
      input: { path: 'a.md', old: 'line 2', new: 'x' },
      reader: 'model',
      origin: 'test',
      revision: files?.[0]?.revision,
    });
    expect(outcome).toMatchObject({ result: { value: { errors: [] } } });
  });
});

describe('write', () => {
  it.each([
    ['a head', { paths: 'a.md', head: 10 }],
    ['a range', { paths: 'a.md:1-29' }],
    ['an outline', { paths: ['a.md:1', 'a.md'], folded: true }],
  ])('does not replace a file when only %s was shown', async (_, input) => {
    const { call } = await opened(numbered(30));
    await call('read', input);
    expect(await call('write', { path: 'a.md', content: 'x' })).toBe(
      'error: vault/a.md: only part of the file was shown; read all of it first, or use append or edit',
    );
  });

  it('replaces a file that was shown in parts, or that only the run itself has changed', async () => {
    const { call } = await opened(numbered(30));
    await call('read', { paths: ['a.md:11-', 'a.md:1-10'] });
    expect(await call('write', { path: 'a.md', content: 'one\ntwo\n', replace: true })).toContain('changed');
    expect(await call('edit', { path: 'a.md', old: 'two', new: 'TWO' })).toContain('edited');
    expect(await call('append', { path: 'a.md', content: 'three', position: 'bottom' })).toContain(
      'appended',
    );
    expect(await call('write', { path: 'a.md', content: 'x', replace: true })).toContain('changed');
  });

  it('drops more than a third of the lines only with replace: true', async () => {
    const { call, put } = await opened(numbered(9));
    await call('read', { paths: 'a.md' });
    const lines = numbered(9).split('\n');
    const keeping = (count: number): string => [...lines.slice(0, count), 'new', ''].join('\n');
    expect(await call('write', { path: 'a.md', content: keeping(5) })).toContain(
      'drops 4 of the existing lines; use append or edit to change part of a file, or pass replace: true',
    );
    expect(await call('write', { path: 'a.md', content: keeping(6) })).toContain('changed');
    put(numbered(9));
    await call('read', { paths: 'a.md' });
    expect(await call('write', { path: 'a.md', content: keeping(0), replace: true })).toContain('changed');
  });

  it('replaces an empty file that was read', async () => {
    const { call } = await opened('');
    await call('read', { paths: 'a.md' });
    expect(await call('write', { path: 'a.md', content: 'x' })).toContain('changed');
  });

  it('does not replace a file that the run has only appended to, or that changed after it was read', async () => {
    const { call, put } = await opened(`${stamped}${numbered(30)}`);
    await call('append', { path: 'a.md', content: 'more', position: 'bottom' });
    expect(await call('write', { path: 'a.md', content: 'x' })).toContain('only part of the file was shown');
    await call('read', { paths: 'a.md' });
    put('other\n');
    expect(await call('write', { path: 'a.md', content: 'x' })).toContain(
      'the file changed after it was read',
    );
  });
});

describe('concat after the file has changed', () => {
  const ask = { files: [{ path: 'a.md', lines: '2-3' }] };

  it('quotes moved lines with a note', async () => {
    const { call, put } = await opened('one\ntwo\nthree\nfour\n');
    await call('read', { paths: 'a.md' });
    put('zero\nhalf\none\ntwo\nthree\nfour\n');
    expect(await call('concat', ask)).toBe(
      '```vault/a.md (lines 4-5)\n4  | two\n5  | three\n```\n\nnote: vault/a.md: lines 2-3 have moved to 4-5 since they were shown',
    );
  });

  it('adds the note to truncated lines as well', async () => {
    const long = 'four words of it\n'.repeat(5_000);
    const { call, put } = await opened(`one\ntwo\n${long}`);
    await call('read', { paths: 'a.md:2' });
    put(`zero\none\ntwo\n${long}`);
    const text = await call('concat', { files: [{ path: 'a.md', lines: '2-5000' }] });
    expect(text).toContain('\nnote: vault/a.md: lines 2-5000 have moved to 3-5001 since they were shown\n');
    expect(text).toContain('omitted (');
    expect(text).not.toContain('error:');
    expect(text.length).toBeLessThanOrEqual(20_000 * 4);
  });

  it('quotes unmoved lines without a note', async () => {
    const { call, put } = await opened('one\ntwo\nthree\nfour\n');
    await call('read', { paths: 'a.md' });
    put('ONE\ntwo\nthree\nfour\n');
    expect(await call('concat', ask)).toBe('```vault/a.md (lines 2-3)\n2  | two\n3  | three\n```');
  });

  it.each([
    ['missing', 'zero\none\nfour\n', 'it no longer contains them'],
    ['duplicated', 'zero\none\ntwo\nthree\ntwo\nthree\n', 'they now occur several times'],
  ])('rejects lines that are %s until they are read again', async (_, text, why) => {
    const { call, put } = await opened('one\ntwo\nthree\nfour\n');
    await call('read', { paths: 'a.md' });
    put(text);
    for (const attempt of [1, 2, 3])
      expect(`${attempt}: ${await call('concat', ask)}`).toBe(
        `${attempt}: error: vault/a.md: the file changed after these lines were shown, and ${why}; read it again`,
      );
    await call('read', { paths: 'a.md' });
    expect(await call('concat', ask)).toContain('```vault/a.md (lines 2-3)');
  });

  it.each([
    ['4-10', '6-12'],
    ['8-', '10-22'],
  ])('relocates the partly shown range %s', async (lines, now) => {
    const { call, put } = await opened(numbered(20));
    await call('read', { paths: ['a.md:5-6', 'a.md:8-9'] });
    put(`new\nnew\n${numbered(20)}`);
    expect(await call('concat', { files: [{ path: 'a.md', lines }] })).toContain(`(lines ${now})`);
  });

  it('rejects lines of a file that has become too large to search', async () => {
    const { call, put } = await opened(numbered(20));
    await call('read', { paths: 'a.md:2-3' });
    put(`new\n${numbered(20)}${`${'word '.repeat(200)}\n`.repeat(21_000)}`);
    expect(await call('concat', ask)).toBe(
      'error: vault/a.md: the file changed after these lines were shown, and at 21.0 MB it is too large to search for them; read them again',
    );
  });

  it('finds lines in a file that has become too short for their numbers', async () => {
    const { call, put } = await opened(numbered(20));
    await call('read', { paths: 'a.md:18-19' });
    put('line 18\nline 19\n');
    expect(await call('concat', { files: [{ path: 'a.md', lines: '18-19' }] })).toContain('(lines 1-2)');
  });

  it('takes line numbers literally if the lines were never shown', async () => {
    const { call, put } = await opened(numbered(20));
    await call('read', { paths: 'a.md:1-3' });
    put(`new\n${numbered(20)}`);
    expect(await call('concat', { files: [{ path: 'a.md', lines: '10-10' }] })).toContain('10 | line 9');
  });

  it('uses line numbers as they were last shown', async () => {
    const { call, put } = await opened('one\ntwo\nthree\nfour\n');
    await call('read', { paths: 'a.md' });
    put('zero\none\ntwo\nthree\nfour\n');
    await call('read', { paths: 'a.md:2-3' });
    expect(await call('concat', ask)).toBe('```vault/a.md (lines 2-3)\n2  | one\n3  | two\n```');
  });

  it('uses line numbers as they were last shown, even if only part of the range was shown again', async () => {
    const { call, put } = await opened('one\ntwo\nthree\nfour\n');
    await call('read', { paths: 'a.md' });
    put('zero\none\ntwo\nthree\nfour\n');
    await call('read', { paths: 'a.md:3' });
    expect(await call('concat', ask)).toBe('```vault/a.md (lines 2-3)\n2  | one\n3  | two\n```');
  });
});

it('the record of shown lines evicts the oldest lines first', () => {
  const shown = createShownLines();
  const revision = 'r' as Revision;
  const path = (number: number): VaultPath => `vault/${number}.md` as VaultPath;
  for (let number = 0; number < 100; number += 1) shown.add(path(number), revision, 1, ['x'.repeat(100_000)]);
  expect(shown.size()).toBeLessThan(2_100_000);
  expect([path(0), path(99)].map((each) => shown.has(each))).toEqual([false, true]);
});

it('old runs lose their record of shown lines when the text of all runs exceeds the limit', async () => {
  const vault = await roomVault({ 'a.md': `${'x'.repeat(1_900_000)}\nlast\n` });
  const call = (run: number, tool: string, input: unknown) =>
    vault.callTool({ tool, input, reader: 'person', origin: 'test', run: `run ${run}` });
  for (let run = 0; run < 30; run += 1) await call(run, 'read', { paths: 'a.md' });
  const input = { path: 'a.md', old: 'last', new: 'first' };
  expect(await call(0, 'edit', input)).toMatchObject({ result: { value: { errors: [expect.anything()] } } });
  expect(await call(29, 'edit', input)).toMatchObject({ result: { value: { errors: [] } } });
});
