import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { RoomVault } from '../../../../test/room-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import type { ToolCall } from './index.ts';

/** Moves a file or folder with an immediate commit and returns the text of the result. */
async function moved(vault: RoomVault, from: string, to: string, more: Partial<ToolCall> = {}) {
  const outcome = await vault.callTool({
    tool: 'move',
    input: { from, to },
    reader: 'model',
    origin: 'mcp',
    ...more,
  });
  return outcome.kind === 'result' ? outcome.result.text : outcome.message;
}

const textIn =
  ({ folder }: RoomVault) =>
  (path: string): string =>
    readFileSync(join(folder, path), 'utf8');

async function afterMove(files: Files, from: string, to: string) {
  const vault = await roomVault(files);
  return { vault, text: await moved(vault, from, to), file: textIn(vault) };
}

describe('move', () => {
  it('updates links to the moved file in any syntax and reports their number', async () => {
    const { text, file } = await afterMove(
      {
        'p/my file.pdf': 'x',
        'p/a.md': '[a](<my file.pdf>)\n\n![[My File.pdf]]\r\n[x]: my%20file.pdf "title"\n',
        'b.md': 'see [a](p/my%20file.pdf#page=2), [[my file.pdf|it]]',
        'p/c.md':
          '`[a](<my file.pdf>)`\n```\n[a](my%20file.pdf)\n```\n[a](../../my%20file.pdf) [a](my file.pdf)\n',
      },
      'p/my file.pdf',
      'bucket/your file.pdf',
    );
    expect(text).toBe('moved vault/p/my file.pdf to vault/bucket/your file.pdf; updated 5 links in 2 notes');
    expect(file('p/a.md')).toBe(
      '[a](<../bucket/your file.pdf>)\n\n![[your file.pdf]]\r\n[x]: ../bucket/your%20file.pdf "title"\n',
    );
    expect(file('b.md')).toBe('see [a](bucket/your%20file.pdf#page=2), [[your file.pdf|it]]');
    expect(file('p/c.md')).toContain(
      '`[a](<my file.pdf>)`\n```\n[a](my%20file.pdf)\n```\n[a](../../my%20file',
    );
  });

  it('updates relative links in a file that is moved alone or with its folder', async () => {
    const files = {
      'p/a.md': '[b](b.md) [c](../c.md) [d](sub/d.md)\n',
      'p/b.md': 'b\n',
      'p/sub/d.md': '[a](../a.md) [c](../../c.md)\n',
      'c.md': '[a](p/a.md)\n',
    };
    const alone = await afterMove(files, 'p/a.md', 'q/r/');
    expect(alone.text).toBe('moved vault/p/a.md to vault/q/r/a.md; updated 5 links in 3 notes');
    expect(alone.file('q/r/a.md')).toBe('[b](../../p/b.md) [c](../../c.md) [d](../../p/sub/d.md)\n');
    const together = await afterMove(files, 'p', 'q/r');
    expect(together.text).toBe('moved vault/p to vault/q/r (3 files); updated 3 links in 3 notes');
    expect(together.file('q/r/a.md')).toBe('[b](b.md) [c](../../c.md) [d](sub/d.md)\n');
    expect(together.file('q/r/sub/d.md')).toBe('[a](../a.md) [c](../../../c.md)\n');
    expect(together.file('c.md')).toBe('[a](q/r/a.md)\n');
  });

  it('keeps every link pointing to the same note when a moved note shares its name with another', async () => {
    const { text, file } = await afterMove(
      {
        'p/specs.md': 'x\n',
        'q/specs.md': 'x\n',
        'p/c.md': '[[specs]]\n',
        'q/deep/c.md': '[[specs]]\n',
        'q/near/c.md': '[[specs]]\n',
      },
      'p/specs.md',
      'q/near/specs.md',
    );
    expect(text).toContain('; updated 2 links in 2 notes');
    expect(file('p/c.md')).toBe('[[q/near/specs|specs]]\n');
    expect(file('q/deep/c.md')).toBe('[[specs]]\n');
    expect(file('q/near/c.md')).toBe('[[q/specs|specs]]\n');
  });

  it('updates the reference of a note to its original', async () => {
    const files = { 'p/a.md': '---\noriginal: a.pdf\n---\n\na\n', 'p/a.pdf': 'pdf' };
    expect((await afterMove(files, 'p/a.md', 'q/')).file('q/a.md')).toBe(
      '---\noriginal: "../p/a.pdf"\n---\n\na\n',
    );
    expect((await afterMove(files, 'p/a.pdf', 'q/b.pdf')).file('p/a.md')).toContain('original: "../q/b.pdf"');
    expect((await afterMove(files, 'p', 'q')).file('q/a.md')).toContain('original: a.pdf\n');
  });

  it('is undone together with all updated links', async () => {
    const files = { 'p/a.md': '[b](../b.md)\n', 'b.md': '[[a]] and [a](p/a.md)\n' };
    const { vault, file } = await afterMove(files, 'p/a.md', 'q/c.md');
    expect(file('b.md')).toBe('[[c|a]] and [a](q/c.md)\n');
    const [change] = vault.changes.list({ limit: 1 });
    expect(await vault.changes.undo(change?.id ?? '')).toMatchObject({ kind: 'written' });
    for (const [path, text] of Object.entries(files)) expect(file(path)).toBe(text);
    expect(existsSync(join(vault.folder, 'q'))).toBe(false);
  });

  it('keeps timestamps, and updates token counts only where the field exists', async () => {
    const stamps = 'created: 2025-01-01T10:00:00\nupdated: 2025-01-01T10:00:00\n';
    const { file } = await afterMove(
      {
        'p/a.md': 'a\n',
        'b.md': `---\n${stamps}tokens: 3\n---\n\n[a](p/a.md)\n`,
        'c.md': `---\n${stamps}---\n\n[a](p/a.md)\n`,
        'd.md': '[a](p/a.md)\n',
      },
      'p/a.md',
      'a/longer/way/a.md',
    );
    expect(file('b.md')).toBe(`---\n${stamps}tokens: 6\n---\n\n[a](a/longer/way/a.md)\n`);
    expect(file('c.md')).toBe(`---\n${stamps}---\n\n[a](a/longer/way/a.md)\n`);
    expect(file('d.md')).toBe('[a](a/longer/way/a.md)\n');
  });

  it('keeps a concurrent edit of a note that links to the moved file', async () => {
    const vault = await roomVault({ 'a.md': 'a\n', 'b.md': '---\ntokens: 9\n---\n\n[[a]]\n\none\n\ntwo\n' });
    const run = vault.writeRun('model');
    const { tools } = await import('./index.ts');
    await tools.find(({ name }) => name === 'move')?.call({ from: 'a.md', to: 'c.md' }, run);
    writeFileSync(join(vault.folder, 'b.md'), '---\ntokens: 9\n---\n\n[[a]]\n\none\n\nTWO, and more\n');
    expect((await run.transaction.commit({ origin: 'test', summary: 'test' })).kind).toBe('written');
    expect(textIn(vault)('b.md')).toBe('---\ntokens: 8\n---\n\n[[c|a]]\n\none\n\nTWO, and more\n');
  });

  it('preserves file permissions', async () => {
    const vault = await roomVault({ 'p/a.md': '[b](../b.md)\n', 'b.md': 'b\n' });
    chmodSync(join(vault.folder, 'p/a.md'), 0o600);
    await moved(vault, 'p/a.md', 'q/r/a.md');
    expect(statSync(join(vault.folder, 'q/r/a.md')).mode & 0o777).toBe(0o600);
    expect(textIn(vault)('q/r/a.md')).toBe('[b](../../b.md)\n');
  });

  it('finds links that were just written, even in the same transaction', async () => {
    const vault = await roomVault({ 'a.md': 'a\n' });
    await vault.callTool({
      tool: 'write',
      input: { path: 'b.md', content: '[[a]]\n' },
      reader: 'model',
      origin: 'mcp',
    });
    const run = vault.writeRun('model');
    const { tools } = await import('./index.ts');
    const call = (name: string, input: object) => tools.find((each) => each.name === name)?.call(input, run);
    await call('write', { path: 'c.md', content: '[[a]]\n' });
    await call('move', { from: 'a.md', to: 'd.md' });
    await call('move', { from: 'd.md', to: 'e.md' });
    await run.transaction.commit({ origin: 'test', summary: 'test' });
    expect(textIn(vault)('b.md')).toContain('[[e|a]]');
    expect(textIn(vault)('c.md')).toContain('[[e|a]]');
  });
});

describe('move that is dropped before the commit', () => {
  it('has its link updates reverted, while links to other moved files stay updated', async () => {
    const files = { 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': '[[a]] [[b]]\n' };
    const vault = await roomVault(files);
    const run = vault.writeRun('model');
    const { unstageAndUpdateLinks, tools } = await import('./index.ts');
    const call = (input: object) => tools.find((each) => each.name === 'move')?.call(input, run);
    await call({ from: 'a.md', to: 'x.md' });
    await call({ from: 'b.md', to: 'y.md' });
    writeFileSync(join(vault.folder, 'a.md'), 'theirs\n');
    const conflict = await run.transaction.commit({ origin: 'test', summary: 'test' });
    expect(conflict).toMatchObject({ kind: 'conflict', files: [{ path: 'vault/a.md' }] });
    await unstageAndUpdateLinks(
      run,
      conflict.kind === 'conflict' ? conflict.files.map(({ path }) => path) : [],
    );
    expect((await run.transaction.commit({ origin: 'test', summary: 'test' })).kind).toBe('written');
    expect(textIn(vault)('c.md')).toBe('[[a]] [[y|b]]\n');
  });
});

describe('approval of a move', () => {
  const words = Array.from({ length: 150 }, (_, index) => `[link${index} to it](folder/target.md)`);

  it('is not required, however many links are updated', async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`p/n${index}.md`, `[x](../b.md) ${index}\n`]),
    );
    const vault = await roomVault({
      ...notes,
      'folder/target.md': 'x\n',
      'b.md': 'b\n',
      'long.md': `${words.join('\n')}\n`,
    });
    expect(await moved(vault, 'folder/target.md', 'z.md')).toMatch(/updated 150 links in 1 note$/);
    expect(await moved(vault, 'p', 'q/r')).toMatch(/updated 30 links in 30 notes$/);
  });

  it('is required if a link in an instruction file of another tool is updated', async () => {
    const vault = await roomVault({ 'a.md': 'a\n', 'CLAUDE.md': 'See [[a]].\n' });
    expect(await moved(vault, 'a.md', 'b.md')).toMatch(
      /^held for approval, nothing written: this changes vault\/CLAUDE/,
    );
    expect(await moved(vault, 'a.md', 'b.md', { reader: 'person' })).toContain('updated 1 link in 1 note');
  });
});

describe('move among files that share a name', () => {
  const files = {
    'n.md': '[[state#Alerts]] [[state#Plan]] [[state]]\n',
    'a/state.md': '# A\n\n## Plan\n',
    'b/state.md': '# B\n\n## Plan\n\n## Alerts\n',
  };

  it('updates a link to a heading that only the moved file has, and leaves ambiguous links unchanged', async () => {
    const { file } = await afterMove(files, 'b/state.md', 'c/status.md');
    expect(file('n.md')).toBe('[[status#Alerts|state#Alerts]] [[state#Plan]] [[state]]\n');
  });

  it('disambiguates a link that would become ambiguous', async () => {
    const { file } = await afterMove(
      { 'n.md': 'See [[state]].\n', 'a/state.md': 'A\n', 'b/other.md': 'B\n' },
      'b/other.md',
      'b/state.md',
    );
    expect(file('n.md')).toBe('See [[a/state|state]].\n');
  });
});
