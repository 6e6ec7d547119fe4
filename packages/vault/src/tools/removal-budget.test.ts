import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { RoomVault } from '../../../../test/room-vault.ts';
import { createClientPolicy } from './index.ts';
import type { ToolCall } from './index.ts';

/** Makes calls of an MCP client one by one and returns the texts of the results. */
async function calls(
  vault: RoomVault,
  tool: string,
  inputs: readonly object[],
  more: Partial<ToolCall> = {},
): Promise<string[]> {
  const texts: string[] = [];
  for (const input of inputs) {
    const outcome = await vault.callTool({ tool, input, reader: 'model', origin: 'mcp', ...more });
    texts.push(outcome.kind === 'result' ? outcome.result.text : outcome.message);
  }
  return texts;
}

const heldIn = (texts: readonly string[]): number => texts.filter((text) => text.startsWith('held')).length;
const notes = (count: number, text = (index: number): string => `Note ${index}\n`) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`notes/n${index}.md`, text(index)]));
const paths = (files: object): { path: string }[] => Object.keys(files).map((path) => ({ path }));
const client = (name: string) => ({
  policy: createClientPolicy(name),
  origin: 'mcp',
});
const idIn = (text = ''): string => text.split(' ').at(-1) ?? '';

describe('the hourly removal limit of a connection', () => {
  it('adds up small removals and holds the change that exceeds it', async () => {
    let now = Date.UTC(2025, 6, 14, 10);
    const files = notes(60);
    const vault = await roomVault(files, () => now);
    const texts = await calls(vault, 'delete', paths(files));
    expect(heldIn(texts)).toBe(40);
    expect(readdirSync(join(vault.folder, 'notes'))).toHaveLength(40);
    expect(texts[20]).toMatch(
      /^held for approval, nothing written: 21 files would be deleted within one hour\. To approve: keepsake approve [\da-f-]{36}$/,
    );
    expect(await vault.changes.approve(idIn(texts[20]))).toMatchObject({ kind: 'written' });
    // Neither approved nor held changes count towards the limit.
    now += 3_600_001;
    const later = Object.keys(files).slice(21, 41);
    expect(
      heldIn(await calls(vault, 'delete', paths(Object.fromEntries(later.map((path) => [path, '']))))),
    ).toBe(0);
  });

  it('ignores changes that were dated by a clock one year ahead', async () => {
    let now = Date.UTC(2026, 6, 14, 10);
    const files = notes(21);
    const vault = await roomVault(files, () => now);
    const all = paths(files);
    expect(heldIn(await calls(vault, 'delete', all.slice(0, 20)))).toBe(0);
    now = Date.UTC(2025, 6, 14, 10);
    expect(heldIn(await calls(vault, 'delete', all.slice(20)))).toBe(0);
  });

  it('adds up removed lines within one file', async () => {
    const line = (index: number): string => `Task ${1_000 + index}: ${'words of a person '.repeat(5)}`;
    const lines = Array.from({ length: 200 }, (_, index) => line(index));
    const vault = await roomVault({ 'tasks.md': `${lines.join('\n')}\n` });
    const run = 'one';
    await calls(vault, 'read', [{ paths: 'tasks.md' }], { run });
    const edits = lines.map((text) => ({ path: 'tasks.md', old: text, new: '' }));
    const held = heldIn(await calls(vault, 'edit', edits, { run }));
    const left = readFileSync(join(vault.folder, 'tasks.md'), 'utf8').match(/words/g)?.length ?? 0;
    expect(held).toBeGreaterThan(50);
    expect(left).toBe(held * 5);
  });

  it('does not count changes that the user undoes', async () => {
    const files = notes(30);
    const vault = await roomVault(files);
    expect(heldIn(await calls(vault, 'delete', paths(files)))).toBe(10);
    for (const { id } of vault.changes.list({ limit: 100 })) await vault.changes.undo(id);
    expect(heldIn(await calls(vault, 'delete', paths(files)))).toBe(10);
    expect(readdirSync(join(vault.folder, 'notes'))).toHaveLength(10);
  });

  it('does not count text that the connection wrote itself, unless it was moved from elsewhere or edited since', async () => {
    const files = notes(30);
    const vault = await roomVault({ 'a.md': 'A.\n' });
    await calls(
      vault,
      'write',
      Object.entries(files).map(([path, content]) => ({ path, content })),
    );
    await calls(
      vault,
      'append',
      [{ path: 'notes/n1.md', content: 'The words of the person.', position: 'bottom' }],
      { reader: 'person' },
    );
    expect(heldIn(await calls(vault, 'delete', paths(files)))).toBe(0);
    const [deletion] = vault.changes.list({ limit: 1, path: 'vault/notes/n1.md' as never });
    expect(deletion).toMatchObject({ summary: 'deleted vault/notes/n1.md' });

    const theirs = notes(30);
    const other = await roomVault(theirs);
    await calls(
      other,
      'move',
      Object.keys(theirs).map((from) => ({ from, to: `moved/${from.slice(6)}` })),
    );
    expect(
      heldIn(
        await calls(
          other,
          'delete',
          paths(theirs).map(({ path }) => ({ path: path.replace('notes', 'moved') })),
        ),
      ),
    ).toBe(10);
  });

  it('applies per connection, whatever name a client gives itself', async () => {
    const files = notes(50);
    const vault = await roomVault(files);
    const all = paths(files);
    const asPerson = { connection: 'one', reader: 'person', isConfirmed: true } as const;
    expect(heldIn(await calls(vault, 'delete', all.slice(0, 21), asPerson))).toBe(1);
    const [first, second] = [
      { connection: 'two', origin: 'a client' },
      { connection: 'two', origin: 'another' },
    ];
    expect(heldIn(await calls(vault, 'delete', all.slice(21, 31), first))).toBe(0);
    expect(heldIn(await calls(vault, 'delete', all.slice(31, 42), second))).toBe(1);
  });

  it('is shared by local connections, because a client can reconnect', async () => {
    const files = notes(30);
    const vault = await roomVault(files);
    const all = paths(files);
    const connection = (name: string) => ({ connection: `stdio ${name}` });
    expect(heldIn(await calls(vault, 'delete', all.slice(0, 15), connection('one')))).toBe(0);
    expect(heldIn(await calls(vault, 'delete', all.slice(15), connection('two')))).toBe(10);
  });

  it('includes the text that an undo removes', async () => {
    const files = notes(4);
    const vault = await roomVault(files);
    const text = (path: string) =>
      Array.from(
        { length: 75 },
        (_, index) => `Line ${index} of the long text that is stored in ${path}`,
      ).join('\n');
    for (const path of Object.keys(files))
      await calls(vault, 'append', [{ path, content: text(path), position: 'bottom' }]);
    const undone = [];
    for (const { id } of vault.changes.list({ limit: 4 }))
      undone.push(await vault.changes.undo(id, { requestedBy: client('local') }));
    expect(undone.map(({ kind }) => kind)).toEqual(['written', 'written', 'written', 'held']);
    expect(undone[3]).toMatchObject({ reason: { code: 'text-an-hour' } });
    expect(heldIn(await calls(vault, 'delete', [{ path: 'notes/n0.md' }]))).toBe(1);
  });

  it('does not apply to the user', async () => {
    const files = notes(30, (index) => `${'Words. '.repeat(1_000)}${index}\n`);
    const vault = await roomVault(files);
    const texts = await calls(vault, 'delete', paths(files), { reader: 'person' });
    expect(texts.filter((text) => !text.startsWith('deleted'))).toEqual([]);
  });
});

describe('an undo by a client', () => {
  it('does not make the restored notes its own, which it could delete without limit', async () => {
    const files = notes(30);
    const vault = await roomVault(files);
    for (const input of paths(files).slice(0, 12)) {
      await calls(vault, 'delete', [input]);
      const [deletion] = vault.changes.list({ limit: 1 });
      await vault.changes.undo(deletion?.id ?? '', { requestedBy: client('local') });
    }
    expect(heldIn(await calls(vault, 'delete', paths(files)))).toBe(10);
  });

  it('is held for a change of another connection, or its own after an hour', async () => {
    let now = Date.UTC(2025, 6, 14, 10);
    const vault = await roomVault({}, () => now);
    await calls(vault, 'write', [
      { path: 'a.md', content: 'One.' },
      { path: 'b.md', content: 'Two.' },
    ]);
    const [second, first] = vault.changes.list({ limit: 2 });
    const undo = (id = '', name = 'local') => vault.changes.undo(id, { requestedBy: client(name) });
    expect(await undo(first?.id, 'other')).toMatchObject({ kind: 'held', reason: { code: 'undoes-others' } });
    expect(await undo(second?.id)).toMatchObject({ kind: 'written' });
    now += 61 * 60_000;
    expect(await undo(first?.id)).toMatchObject({ kind: 'held', reason: { code: 'undoes-old' } });
    expect(existsSync(join(vault.folder, 'a.md'))).toBe(true);
  });
});

describe('a held call', () => {
  it('reports its current outcome when it is repeated with the same id', async () => {
    const vault = await roomVault({ 'CLAUDE.md': 'Be kind.\n' });
    const id = '11111111-2222-4333-8444-555555555555';
    const again = () => calls(vault, 'delete', [{ path: 'CLAUDE.md' }], { id });
    expect((await again())[0]).toMatch(/^held for approval, nothing written: this changes vault\/CLAUDE\.md/);
    expect((await again())[0]).toMatch(/^held for approval, nothing written: /);
    await vault.changes.reject(id);
    expect((await again())[0]).toMatch(/rejected/);
    expect(existsSync(join(vault.folder, 'CLAUDE.md'))).toBe(true);
  });

  it('reports no applied change', async () => {
    const vault = await roomVault();
    const input = { path: 'a.md', content: '<img src=//evil.example/x>' };
    const outcome = await vault.callTool({ tool: 'write', input, reader: 'model', origin: 'mcp' });
    expect(outcome).toMatchObject({ kind: 'result', result: { value: { changes: [], errors: [] } } });
    expect(existsSync(join(vault.folder, 'a.md'))).toBe(false);
    expect((await calls(vault, 'write', [input], { reader: 'person' }))[0]).toContain('created');
  });
});
