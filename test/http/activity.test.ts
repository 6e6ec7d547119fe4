import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../packages/vault/src/contract/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { looking } from '../agents/agent-vault.ts';
import { httpVault } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

async function history(vault: HttpVault, query = '', options: Send = {}) {
  return api.history.parse(await vault.get(`/history${query}`, { token: vault.owner, ...options }));
}

async function put(vault: HttpVault, path: string, text: string, token = vault.writer): Promise<void> {
  const response = await vault.send(`/files/${path}`, {
    method: 'PUT',
    body: text,
    token,
    headers: {
      'content-type': 'text/markdown',
      [vault.text(path) === null ? 'if-none-match' : 'if-match']: '*',
    },
  });
  expect(response.status).toBeLessThan(300);
}

describe('change list', () => {
  it('shows author, files and line counts of each change', async () => {
    const vault = await httpVault({ 'a.md': 'one\ntwo\n' });
    await put(vault, 'a.md', 'one\n2\nthree\n', vault.owner);
    await put(vault, 'a.md', 'one\n2\n');
    await vault.get('/tools/move', {
      json: { input: { from: 'a.md', to: 'b.md' }, origin: 'sync' },
    });
    const { changes } = await history(vault);
    expect(changes.map(({ who }) => who)).toEqual([
      // A script's own claim about its origin counts only as a name.
      { kind: 'client', name: 'sync' },
      { kind: 'client', name: 'a write token' },
      { kind: 'person', name: 'terminal' },
    ]);
    expect(changes.map(({ files }) => files)).toEqual([
      [{ path: 'vault/b.md', kind: 'created', from: 'vault/a.md', added: 0, removed: 0 }],
      [{ path: 'vault/a.md', kind: 'edited', from: null, added: 0, removed: 1 }],
      [{ path: 'vault/a.md', kind: 'edited', from: null, added: 2, removed: 1 }],
    ]);
    expect(changes[0]?.counts).toEqual({ files: 1, created: 0, edited: 0, deleted: 0, moved: 1 });
    expect(changes.every(({ said, undoes }) => said === null && undoes === null)).toBe(true);
    await vault.send(`/history/${changes[0]?.id}/undo`, { json: {}, token: vault.owner });
    expect((await history(vault, '?limit=1')).changes[0]).toMatchObject({
      who: { kind: 'person' },
      undoes: { id: changes[0]?.id, said: null },
    });
  });

  it('shows a note that links to itself as moved', async () => {
    const text =
      '# Plan\n\nSee [the parts](a.md#parts) below.\n\n## Parts\n\nOak, screws, glue and varnish.\n';
    const vault = await httpVault({ 'a.md': text });
    await vault.get('/tools/move', { json: { input: { from: 'a.md', to: 'b.md' } } });
    const { changes } = await history(vault);
    expect(vault.text('b.md')).toContain('(b.md#parts)');
    expect(changes[0]?.files).toEqual([
      { path: 'vault/b.md', kind: 'created', from: 'vault/a.md', added: 1, removed: 1 },
    ]);
    expect(changes[0]?.counts).toMatchObject({ files: 1, moved: 1 });
  });

  it("shows the update agent's summary of an update, both for the update and for its undo", async () => {
    const vault = await httpVault({ 'a.md': 'one\n' });
    vault.model.script(
      looking,
      { calls: [{ tool: 'append', input: { path: 'vault/a.md', content: 'two', position: 'bottom' } }] },
      { text: 'La deuxième ligne est notée.' },
      { text: 'La deuxième ligne est notée.' },
    );
    const { id } = await vault.file({ text: 'two' });
    const agent = { kind: 'agent', name: expect.any(String) as string };
    const said = 'La deuxième ligne est notée.';
    expect((await history(vault)).changes).toMatchObject([{ id, who: agent, said }]);
    await vault.send(`/updates/${id}/undo`, { json: {}, token: vault.owner });
    expect((await history(vault, '?limit=1')).changes).toMatchObject([{ undoes: { id, said } }]);
  });

  it('shows external edits with line counts', async () => {
    const vault = await httpVault({ 'a.md': 'one\ntwo\n' });
    const paths = ['vault/a.md' as VaultPath];
    await vault.keepsake.changes.baseline.addToBaseline(paths);
    await vault.keepsake.changes.baseline.markBaselineComplete();
    writeFileSync(join(vault.folder, 'a.md'), 'one\n2\nthree\n');
    await vault.keepsake.changes.recordExternalEdits(paths);
    expect((await history(vault)).changes).toMatchObject([
      { who: { kind: 'outside' }, files: [{ kind: 'edited', added: 2, removed: 1 }] },
    ]);
  });

  it('has stable pages while changes are made', async () => {
    const vault = await httpVault();
    for (let index = 0; index < 7; index += 1) await put(vault, `n${index}.md`, 'x\n');
    const first = await history(vault, '?limit=3');
    await put(vault, 'late.md', 'x\n');
    const second = await history(vault, `?limit=3&after=${first.next}`);
    const third = await history(vault, `?limit=3&after=${second.next}`);
    const names = [first, second, third].flatMap(({ changes }) => changes.map(({ paths }) => paths[0]));
    expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `vault/n${index}.md`));
    expect(third.next).toBeNull();
    // Pages work the same for a client with a filtered view.
    const seen = await history(vault, `?limit=3&after=${second.next}`, { token: vault.writer });
    expect(seen.changes).toEqual(third.changes);
  });

  it('filters by author, folder, kind, day and state', async () => {
    let now = new Date(2026, 5, 1, 12).getTime();
    const vault = await httpVault({ 'projects/x/a.md': 'one\n' }, { clock: () => now });
    await put(vault, 'projects/x/a.md', 'two\n', vault.owner);
    now = new Date(2026, 5, 2, 0, 0, 1).getTime();
    await put(vault, 'projects/x/b.md', 'one\n');
    await put(vault, 'projects/xy.md', 'one\n', vault.owner);
    const found = async (query: string): Promise<(string | undefined)[]> =>
      (await history(vault, query)).changes.map(({ paths }) => paths[0]?.slice('vault/projects/'.length));
    expect(await found('?who=client')).toEqual(['x/b.md']);
    expect(await found('?who=client&name=a%20write%20token')).toEqual(['x/b.md']);
    expect(await found('?who=client&name=other')).toEqual([]);
    expect(await found('?folder=projects/x')).toEqual(['x/b.md', 'x/a.md']);
    expect(await found('?kind=edited')).toEqual(['x/a.md']);
    expect(await found('?day=2026-06-02')).toEqual(['xy.md', 'x/b.md']);
    expect(await found('?day=2026-06-01&who=person')).toEqual(['x/a.md']);
    expect(await found('?state=rejected')).toEqual([]);
  });
});

describe('daily counts', () => {
  it('include changes by author and new notes, and are empty for everyone but the user', async () => {
    let now = new Date(2026, 5, 1, 12).getTime();
    const vault = await httpVault({ 'a.md': 'one\n' }, { clock: () => now });
    await put(vault, 'a.md', 'two\n', vault.owner);
    await put(vault, 'b.md', 'one\n');
    now = new Date(2026, 5, 3, 12).getTime();
    await put(vault, 'c.md', 'one\n');
    await vault.send('/tools/move', { json: { input: { from: 'c.md', to: 'd.md' } } });
    const days = async (token: string) =>
      api.historyActivity.parse(await vault.get('/history/days', { token }));
    const client = { kind: 'client', name: 'a write token' };
    expect(await days(vault.owner)).toEqual({
      today: '2026-06-03',
      days: [
        { day: '2026-06-01', who: client, changes: 1 },
        { day: '2026-06-01', who: { kind: 'person', name: 'terminal' }, changes: 1 },
        { day: '2026-06-03', who: client, changes: 2 },
      ],
      notes: [
        { day: '2026-06-01', more: 1 },
        { day: '2026-06-03', more: 1 },
      ],
    });
    expect(await days(vault.writer)).toMatchObject({ days: [], notes: [] });
  });
});
