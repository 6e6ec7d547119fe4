import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseVaultPath } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { isFound, createUpkeepVault, until } from './upkeep-vault.ts';
import type { UpkeepVault } from './upkeep-vault.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const mark = '.sync-conflict-20260714-183000-ABCDEFG';
const pathOf = (name: string): VaultPath => (parseVaultPath(name) as { path: VaultPath }).path;

/** Creates notes that are in history, as in a vault in use. */
async function write({ keepsake }: UpkeepVault, files: Record<string, string>): Promise<void> {
  const wanted = Object.entries(files).map(([name, content]) => ({
    kind: 'create' as const,
    path: pathOf(name),
    after: Buffer.from(content),
    mode: null,
  }));
  await keepsake.changes.writer.write(wanted, {
    origin: 'test',
    summary: 'before the machines went offline',
  });
}

const put = ({ folder }: UpkeepVault, files: Record<string, string>): void => {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
};

const done = (vault: UpkeepVault, count: number) =>
  until(
    () =>
      vault.events.filter(({ kind }) => kind === 'copy-merged' || kind === 'copy-question').length >= count,
    `${count} conflict copies are processed`,
  );

const neverStamp = { timing: { stampQuietMs: 60, undetectableStampQuietMs: 60 } };

describe('conflict copies', () => {
  it('are each merged into their note in one change, and are not merged again after an undo', async () => {
    const vault = await createUpkeepVault({ kind: 'adopted', files: { 'other.md': 'x\n' } });
    const day = ['# 2026-07-13', '', '## Old', '', 'old words'];
    await write(vault, { 'plan.md': text('one', 'two', 'three'), 'changelog.md': text(...day) });
    const [mine, theirs] = [text('zero', 'one', 'two', 'three'), text('one', 'three', 'giraffe')];
    put(vault, {
      'plan.md': mine,
      [`plan${mark}.md`]: theirs,
      'changelog.md': text('# 2026-07-14', '', '## Mine', '', ...day),
      [`changelog${mark}.md`]: text('# 2026-07-14', '', '## Theirs', '', ...day),
    });
    await vault.start(neverStamp);
    await until(() => !existsSync(join(vault.folder, `changelog${mark}.md`)), 'both are merged');
    await until(() => !existsSync(join(vault.folder, `plan${mark}.md`)), 'both are merged');
    expect(vault.read('plan.md')).toBe(text('zero', 'one', 'three', 'giraffe'));
    expect(vault.read('changelog.md')).toBe(text('# 2026-07-14', '', '## Theirs', '', '## Mine', '', ...day));
    expect(await isFound(vault, 'giraffe')).toBe(true);
    const { changes } = vault.keepsake;
    const change = changes.list({ path: pathOf('plan.md'), limit: 1 })[0];
    expect(change).toMatchObject({ origin: 'sync', summary: `merged plan${mark}.md into vault/plan.md` });
    vault.events.length = 0;
    await changes.undo(change?.id ?? '');
    expect([vault.read('plan.md'), vault.read(`plan${mark}.md`)]).toEqual([mine, theirs]);
    await done(vault, 1);
    await vault.silence();
    expect([vault.read('plan.md'), vault.read(`plan${mark}.md`)]).toEqual([mine, theirs]);
    expect(vault.events.filter(({ kind }) => kind === 'failed')).toEqual([]);
  });

  it('leave both versions of conflicting lines in the note, and the user is asked once', async () => {
    const vault = await createUpkeepVault({ kind: 'adopted', files: { 'other.md': 'x\n' } });
    const rest = ['three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    await write(vault, { 'plan.md': text('one', 'two', ...rest) });
    const [mine, theirs] = [
      text('one', 'zebra', ...rest.toSpliced(2, 1)),
      text('one', 'giraffe', ...rest, 'ten'),
    ];
    put(vault, { 'plan.md': mine, [`plan${mark}.md`]: theirs });
    await vault.start(neverStamp);
    await until(() => !existsSync(join(vault.folder, `plan${mark}.md`)), 'it is merged');
    await vault.silence();
    expect(vault.read('plan.md')).toBe(text('one', 'giraffe', '', 'zebra', ...rest.toSpliced(2, 1), 'ten'));
    expect([await isFound(vault, 'zebra'), await isFound(vault, 'giraffe')]).toEqual([true, true]);
    const items = readdirSync(join(vault.folder, 'inbox'));
    expect(items).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-plan-[\da-f]{8}$/)]);
    const review = vault.read(`inbox/${items[0]}/review.md`);
    for (const words of ['`vault/plan.md`', '> giraffe', '> zebra']) expect(review).toContain(words);
    const { changes } = vault.keepsake;
    const [change] = changes.list({ path: pathOf('plan.md'), limit: 1 });
    expect(change).toMatchObject({ origin: 'sync', files: expect.arrayContaining([expect.anything()]) });
    await changes.undo(change?.id ?? '');
    expect([vault.read('plan.md'), vault.read(`plan${mark}.md`)]).toEqual([mine, theirs]);
    expect(existsSync(join(vault.folder, `inbox/${items[0]}/review.md`))).toBe(false);
  });

  it('without a common base are kept but not indexed, and the user is asked once', async () => {
    const vault = await createUpkeepVault({
      kind: 'adopted',
      files: {
        'plan.md': text('one', 'zebra', 'three'),
        [`plan${mark}.md`]: text('one', 'giraffe', 'three'),
      },
    });
    await vault.start(neverStamp);
    const items = (): string[] => readdirSync(join(vault.folder, 'inbox'));
    await until(() => existsSync(join(vault.folder, 'inbox')), 'a question is in the inbox');
    await vault.silence();
    expect(items()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-plan-[\da-f]{8}$/)]);
    expect(vault.read(`inbox/${items()[0]}/review.md`)).toContain(`vault/plan${mark}.md`);
    expect(vault.read(`plan${mark}.md`)).toBe(text('one', 'giraffe', 'three'));
    expect([await isFound(vault, 'zebra'), await isFound(vault, 'giraffe')]).toEqual([true, false]);
    put(vault, { 'plan.md': text('one', 'giraffe', 'three', 'more') });
    await until(() => !existsSync(join(vault.folder, `plan${mark}.md`)), 'it is merged after all');
    expect(vault.read('plan.md')).toBe(text('one', 'giraffe', 'three', 'more'));
    expect(items()).toEqual([]);
  });

  it('become regular notes when their note is deleted or renamed, and the user is asked once', async () => {
    const vault = await createUpkeepVault({ kind: 'adopted', files: { 'other.md': 'x\n' } });
    await write(vault, { 'plan.md': text('one', 'two', 'three') });
    // An empty copy is not merged, so it still exists when its note is renamed.
    put(vault, { [`plan${mark}.md`]: '', [`never${mark}.md`]: text('one') });
    await vault.start(neverStamp);
    const items = (): string[] => readdirSync(join(vault.folder, 'inbox'));
    await until(() => existsSync(join(vault.folder, 'inbox')), 'a question is in the inbox');
    renameSync(join(vault.folder, 'plan.md'), join(vault.folder, 'renamed.md'));
    await until(() => items().length === 2, 'there is another one');
    put(vault, { [`plan${mark}.md`]: text('one', 'giraffe', 'three', 'more') });
    await vault.silence();
    expect(await isFound(vault, 'giraffe')).toBe(true);
    const asked = items().map((item) => vault.read(`inbox/${item}/review.md`));
    expect(asked.filter((review) => review.includes('no longer there'))).toEqual([
      expect.stringContaining(`- \`vault/plan${mark}.md\``),
    ]);
    expect(asked).toHaveLength(2);
    put(vault, { 'plan.md': text('one', 'two', 'three', 'more') });
    await until(() => !existsSync(join(vault.folder, `plan${mark}.md`)), 'it is part of a note again');
    expect(items()).toHaveLength(1);
  });

  it('of tree.md are deleted', async () => {
    const vault = await createUpkeepVault({ files: { 'other.md': 'x\n' } });
    await vault.start();
    put(vault, { [`tree${mark}.md`]: vault.read('tree.md').replace('other', 'another') });
    await until(() => !existsSync(join(vault.folder, `tree${mark}.md`)), 'it is deleted');
    expect(vault.read('tree.md')).not.toContain('another');
  });

  it('with ambiguous names are merged only if note and copy both extend a version in history', async () => {
    const vault = await createUpkeepVault({ kind: 'adopted', files: { 'other.md': 'x\n' } });
    const base = text('one', 'two', 'three', 'four', 'five');
    await write(vault, { 'plan.md': base, 'soup.md': base });
    put(vault, {
      'plan.md': `zero\n${base}`,
      'plan 2.md': `${base}six\n`,
      'soup 2.md': `${base}more salt\n`,
    });
    await vault.start(neverStamp);
    await until(() => !existsSync(join(vault.folder, 'plan 2.md')), 'the conflict copy is merged');
    expect(vault.read('plan.md')).toBe(`zero\n${base}six\n`);
    await until(() => existsSync(join(vault.folder, 'inbox')), 'a question is in the inbox');
    expect(vault.read('soup 2.md')).toBe(`${base}more salt\n`);
    expect(vault.read('soup.md')).toBe(base);
  });
});

it('a question about a note that is hidden from models is hidden from them, too', async () => {
  const vault = await createUpkeepVault({
    files: { 'private/diary.md': 'one\n', 'plan.md': 'one\n' },
    configuration: { agents: { exclude: ['private/**'] } },
  });
  await vault.start();
  const marked = text('one', '<<<<<<< HEAD', 'zebra', '=======', 'giraffe', '>>>>>>> laptop');
  put(vault, { 'private/diary.md': marked, 'plan.md': marked });
  const { keepsake } = vault;
  await until(async () => (await keepsake.inbox()).length === 2, 'two questions are in the inbox');
  const reviews = (await keepsake.inbox()).map((item) => (item.kind === 'question' ? item.review : ''));
  expect(reviews.filter((review) => review.includes('> zebra'))).toHaveLength(2);
  expect(reviews.some((review) => review.includes('private/diary.md'))).toBe(true);
  expect(await keepsake.restricted.inbox()).toMatchObject([{ item: expect.stringContaining('-plan-') }]);
  expect(JSON.stringify(keepsake.restricted.changes.list({ limit: 100 }))).not.toContain('diary');
});

it('a note with git conflict markers is excluded from search, and the user is asked once', async () => {
  const vault = await createUpkeepVault({ kind: 'adopted', files: { 'plan.md': 'one\n' } });
  await vault.start();
  const marked = text('one', '<<<<<<< HEAD', 'zebra', '=======', 'giraffe', '>>>>>>> laptop');
  put(vault, { 'plan.md': marked });
  await until(() => existsSync(join(vault.folder, 'inbox')), 'a question is in the inbox');
  put(vault, { 'plan.md': `${marked}more\n` });
  await vault.silence();
  const items = readdirSync(join(vault.folder, 'inbox'));
  expect(items).toHaveLength(1);
  expect(vault.read(`inbox/${items[0]}/review.md`)).toMatch(/> zebra\n[^]*> giraffe\n/);
  expect(vault.read('plan.md')).toBe(`${marked}more\n`);
  expect([await isFound(vault, 'zebra'), await isFound(vault, 'giraffe')]).toEqual([false, false]);
  put(vault, { 'plan.md': text('one', 'giraffe') });
  await until(() => isFound(vault, 'giraffe'), 'it is searched again');
});
