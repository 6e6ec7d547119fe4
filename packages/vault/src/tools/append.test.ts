import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { RoomVault } from '../../../../test/room-vault.ts';
import { createToolCaller, tools } from './index.ts';
import type { WriteRun } from './index.ts';

type Call = [tool: string, input: object];

const addition = (path: string, content = 'same line', position = 'bottom'): Call => [
  'append',
  { path, content, position },
];

/** Stages calls in a separate run, like another process. */
async function staged(vault: RoomVault, ...calls: Call[]): Promise<WriteRun> {
  const run = vault.writeRun('model');
  for (const [name, input] of calls) {
    const outcome = await tools.find((tool) => tool.name === name)?.call(input, run);
    expect(outcome).toMatchObject({ kind: 'result', result: { value: { errors: [] } } });
  }
  return run;
}

const commit = ({ transaction }: WriteRun) => transaction.commit({ origin: 'test', summary: 'test' });
const textOf = (vault: RoomVault, path: string): string => readFileSync(join(vault.folder, path), 'utf8');
const count = (text: string, line: string): number => text.split('\n').filter((each) => each === line).length;

describe('concurrent appends', () => {
  it.each(['top', 'bottom'])('are all kept when they add the same line at the %s', async (position) => {
    const vault = await roomVault({ 'bucket/log.md': '# Log\n\nfirst\n' });
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => staged(vault, addition('bucket/log.md', 'same line', position))),
    );
    for (const run of runs) expect((await commit(run)).kind).toBe('written');
    const text = textOf(vault, 'bucket/log.md');
    expect(count(text, 'same line')).toBe(6);
    expect(count(text, '# Log')).toBe(1);
    expect(count(text, 'first')).toBe(1);
  });

  it('put equal changelog entries under one day heading', async () => {
    const vault = await roomVault({ 'changelog.md': '# 2025-07-14\n\n## Older\nText.\n' });
    const entry = addition('changelog.md', '# 2025-07-15\n\n## Call\nDone.', 'top');
    const runs = [await staged(vault, entry), await staged(vault, entry)];
    for (const run of runs) expect((await commit(run)).kind).toBe('written');
    const text = textOf(vault, 'changelog.md');
    expect([count(text, '## Call'), count(text, '# 2025-07-15')]).toEqual([2, 1]);
  });

  it('do not affect the other edits of their transaction', async () => {
    const vault = await roomVault({ 'bucket/log.md': 'a\nb\nc\nd\ne\nf\ng\nh\n' });
    const calls = (letter: string): Call[] => [
      ['read', { paths: 'bucket/log.md' }],
      ['edit', { path: 'bucket/log.md', old: letter, new: `${letter} edited` }],
      addition('bucket/log.md'),
      ['edit', { path: 'bucket/log.md', old: `${letter} edited`, new: `${letter} edited twice` }],
      addition('bucket/log.md', 'one more'),
    ];
    const runs = [await staged(vault, ...calls('b')), await staged(vault, ...calls('g'))];
    for (const run of runs) expect((await commit(run)).kind).toBe('written');
    const text = textOf(vault, 'bucket/log.md');
    const found = ['same line', 'one more', 'b edited twice', 'g edited twice', 'b', 'g', 'h'];
    expect(found.map((line) => count(text, line))).toEqual([2, 2, 1, 1, 0, 0, 1]);
  });

  it('merge with an external edit that added the same line or rewrote the end', async () => {
    const vault = await roomVault({ 'bucket/log.md': 'a\nb\n' });
    const run = await staged(vault, addition('bucket/log.md'));
    writeFileSync(join(vault.folder, 'bucket/log.md'), 'a\nB\n\nsame line\n');
    expect((await commit(run)).kind).toBe('written');
    expect(textOf(vault, 'bucket/log.md')).toMatch(/^a\nB\n\nsame line\n\nsame line\n$/m);
  });

  it('survive saving and restoring a transaction', async () => {
    const vault = await roomVault({ 'bucket/log.md': 'a\n' });
    const saved = (await staged(vault, addition('bucket/log.md'))).transaction.serialize();
    expect((await commit(await staged(vault, addition('bucket/log.md')))).kind).toBe('written');
    const run = vault.writeRun('model');
    run.transaction.deserialize(saved);
    expect((await commit(run)).kind).toBe('written');
    expect(count(textOf(vault, 'bucket/log.md'), 'same line')).toBe(2);
  });

  it('conflict with a deletion of the file and write nothing', async () => {
    const vault = await roomVault({ 'bucket/log.md': 'a\n', 'bucket/other.md': 'x\n' });
    const run = await staged(vault, addition('bucket/other.md'), addition('bucket/log.md'));
    expect((await commit(await staged(vault, ['delete', { path: 'bucket/log.md' }]))).kind).toBe('written');
    expect(await commit(run)).toMatchObject({ kind: 'conflict', files: [{ path: 'vault/bucket/log.md' }] });
    expect(textOf(vault, 'bucket/other.md')).toBe('x\n');
  });

  it('are applied once per id, even by concurrent callers', async () => {
    const vault = await roomVault({ 'bucket/log.md': 'a\n' });
    const { changes, readRun, writeRun } = vault;
    const [tool, input] = addition('bucket/log.md');
    // Each caller has its own queue, like separate processes.
    const callers = Array.from({ length: 3 }, () =>
      createToolCaller({ changes, isUpdate: () => false, readRun, writeRun }),
    );
    const call = { tool, input, reader: 'model', origin: 'test', id: 'the-same-id' } as const;
    const answers = await Promise.all(callers.map((caller) => caller(call)));
    answers.push(await vault.callTool(call));
    for (const answer of answers)
      expect(answer).toMatchObject({ kind: 'result', result: { value: { errors: [] } } });
    expect(count(textOf(vault, 'bucket/log.md'), 'same line')).toBe(1);
  });
});

it('equal edits of two writers are merged into one', async () => {
  const vault = await roomVault({ 'bucket/log.md': 'a\nb\n' });
  const edit: Call[] = [
    ['read', { paths: 'bucket/log.md' }],
    ['edit', { path: 'bucket/log.md', old: 'b', new: 'b\nsame line' }],
  ];
  const runs = [await staged(vault, ...edit), await staged(vault, ...edit)];
  for (const run of runs) expect((await commit(run)).kind).not.toBe('conflict');
  expect(count(textOf(vault, 'bucket/log.md'), 'same line')).toBe(1);
});

it.each([
  ['append', { content: 'Text.', position: 'bottom' }],
  ['edit', { old: '# Note', new: '# Changed' }],
  ['write', { content: 'Text.', replace: true }],
])('%s refuses to change a file that is read-only on disk', async (tool, input) => {
  const vault = await roomVault({ 'a.md': '# Note\n' });
  chmodSync(join(vault.folder, 'a.md'), 0o444);
  const outcome = await vault.callTool({
    tool,
    input: { path: 'a.md', ...input },
    reader: 'person',
    origin: 'test',
    toolInterface: 'command-line',
  } as never);
  expect(outcome).toMatchObject({
    kind: 'result',
    result: { text: expect.stringContaining('it is read-only on disk; allow writing to the file first') },
  });
  expect(textOf(vault, 'a.md')).toBe('# Note\n');
});

describe('an entry without a day', () => {
  const day = () => Date.parse('2026-11-17T12:00:00');
  const log = '# 2026-11-16\n\n## Older\n';

  it.each(['changelog.md', 'projects/x/changelog.md'])('is added to %s under today', async (path) => {
    const vault = await roomVault({ [path]: log }, day);
    const call = (content: string, position: string) =>
      vault.callTool({
        tool: 'append',
        input: { path, content, position },
        reader: 'model',
        origin: 'test',
        connection: 'client',
      });
    await call('## First\nText.', 'top');
    await call('# 2026-11-17 Tuesday\n\n## Second', 'top');
    await call('## Third', 'bottom');
    const text = textOf(vault, path).replace(/^---[^]*?---\n\n/, '');
    expect(text).toBe(`# 2026-11-17\n\n## Second\n\n## First\nText.\n\n## Third\n\n${log}`);
  });

  it('stays as it is in a task list and in a bucket', async () => {
    const vault = await roomVault({ 'tasks.md': '# Task\n', 'bucket/changelog.md': log }, day);
    for (const path of ['tasks.md', 'bucket/changelog.md'])
      expect(await vault.text('append', { path, content: '## First', position: 'top' })).not.toContain(
        '2026-11-17',
      );
  });

  it('is added under today to a changelog with another name', async () => {
    const vault = await roomVault(
      {
        '.keepsake/vault.json':
          '{"id":"0190a0b0-0000-7000-8000-000000000001","version":1,"layout":{"changelog":"Log.md"}}',
        'Log.md': log,
      },
      day,
    );
    const text = await vault.text('append', { path: 'Log.md', content: '## First', position: 'top' });
    expect(text).toMatch(/\| # 2026-11-17\n.*\n.*\| ## First/);
  });
});
