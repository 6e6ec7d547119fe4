import { describe, expect, it } from 'vitest';
import { api } from '../../src/contract/index.ts';
import { httpVault, problemIn } from './http-vault.ts';
import type { HttpVault } from './http-vault.ts';

async function write(vault: HttpVault, path: string, text: string): Promise<string> {
  const response = await vault.send(`/files/${path}`, {
    method: 'PUT',
    body: text,
    headers: { 'content-type': 'text/markdown', 'if-match': '*' },
  });
  const { change } = (await response.json()) as { change: string };
  return change;
}

describe('history', () => {
  it('lists changes, of one file too, and shows each as a diff', async () => {
    const vault = await httpVault({ 'a.md': 'one\n', 'b.md': 'one\n' });
    const [first, second] = [await write(vault, 'a.md', 'two\n'), await write(vault, 'b.md', 'two\n')];
    const ids = async (query: string) =>
      api.history.parse(await vault.get(`/history${query}`)).changes.map(({ id }) => id);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('?limit=1')).toEqual([second]);
    expect(await ids('?path=a.md')).toEqual([first]);
    expect(await ids('?held=true')).toEqual([]);
    const shown = api.changeWithDiff.parse(await vault.get(`/history/${first.slice(0, 8)}`));
    expect(shown).toMatchObject({
      id: first,
      origin: 'a write token',
      paths: ['vault/a.md'],
      state: 'applied',
    });
    expect(shown.diffs[0]?.diff).toMatch(/-one\n[\s\S]*\+two/);
    expect(await problemIn(await vault.send('/history/none'))).toMatchObject({
      status: 404,
      code: 'no-such-change',
    });
    expect(await problemIn(await vault.send('/history?path=../a'))).toMatchObject({ status: 422 });
    expect(await problemIn(await vault.send('/history?limit=0'))).toMatchObject({
      status: 422,
      code: 'invalid',
    });
  });

  it('takes a change back, in all files or one, and restores what was', async () => {
    const vault = await httpVault({ 'a.md': 'one\n' });
    const first = await write(vault, 'a.md', 'two\n');
    const second = await write(vault, 'a.md', 'three\n');
    const undo = (id: string, json?: object) =>
      vault.send(`/history/${id}/undo`, { method: 'POST', ...(json && { json }) });
    expect(await problemIn(await undo(first))).toMatchObject({ status: 409, code: 'conflict' });
    expect((await undo(second, { path: 'a.md' })).status).toBe(200);
    expect(vault.text('a.md')).toMatch(/two\n$/);
    expect((await undo(first)).status).toBe(200);
    expect(vault.text('a.md')).toBe('one\n');
    const restored = await vault.get(`/history/${second}/restore`, { json: { path: 'a.md' } });
    expect(api.decided.parse(restored).as).not.toBeNull();
    expect(vault.text('a.md')).toMatch(/three\n$/);
    const restore = (id: string, json: object) => vault.send(`/history/${id}/restore`, { json });
    expect(await problemIn(await restore(second, { path: 'b.md' }))).toMatchObject({ status: 404 });
    expect(await problemIn(await restore(second, {}))).toMatchObject({ status: 422 });
    expect(await problemIn(await undo('none'))).toMatchObject({ status: 404 });
  });
});
