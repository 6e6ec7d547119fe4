import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { api } from '../../packages/vault/src/contract/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { httpVault, readProblem } from './http-vault.ts';
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

describe('history over HTTP', () => {
  it('lists the changes of the vault or of one file, and shows each as a diff', async () => {
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
    const diffsOf = async (path: string) =>
      api.changeWithDiff.parse(await vault.get(`/history/${first}?path=${path}`)).diffs;
    expect(await diffsOf('a.md')).toEqual(shown.diffs);
    expect(await diffsOf('b.md')).toEqual([]);
    expect(await readProblem(await vault.send('/history/none'))).toMatchObject({
      status: 404,
      code: 'no-such-change',
    });
    expect(await readProblem(await vault.send('/history?path=../a'))).toMatchObject({ status: 422 });
    expect(await readProblem(await vault.send('/history?limit=0'))).toMatchObject({
      status: 422,
      code: 'invalid',
    });
  });

  it('undoes a change in all files or in one, and restores earlier versions', async () => {
    const vault = await httpVault({ 'a.md': 'one\n' });
    const first = await write(vault, 'a.md', 'two\n');
    const second = await write(vault, 'a.md', 'three\n');
    const undo = (id: string, json?: object) =>
      vault.send(`/history/${id}/undo`, { method: 'POST', ...(json && { json }) });
    expect(await readProblem(await undo(first))).toMatchObject({ status: 409, code: 'conflict' });
    expect((await undo(second, { path: 'a.md' })).status).toBe(200);
    expect(vault.text('a.md')).toMatch(/two\n$/);
    expect((await undo(first)).status).toBe(200);
    expect(vault.text('a.md')).toBe('one\n');
    const restored = await vault.get(`/history/${second}/restore`, {
      json: { path: 'a.md' },
      token: vault.owner,
    });
    expect(api.changeDecision.parse(restored).as).not.toBeNull();
    expect(vault.text('a.md')).toMatch(/three\n$/);
    const restore = (id: string, json: object) =>
      vault.send(`/history/${id}/restore`, { json, token: vault.owner });
    expect(await readProblem(await restore(second, { path: 'b.md' }))).toMatchObject({ status: 404 });
    expect(await readProblem(await restore(second, {}))).toMatchObject({ status: 422 });
    expect(await readProblem(await undo('none'))).toMatchObject({ status: 404 });
  });
});

describe('a client-chosen change id', () => {
  const id = '0F8FAD5B-D9CB-469F-A165-70867728950E';
  const call = (vault: HttpVault, tool: string, json: object) => vault.send(`/tools/${tool}`, { json });

  it('is stored in lower case, and undo accepts it in either case', async () => {
    const vault = await httpVault();
    const input = { path: 'bucket/a.md', content: 'x' };
    for (let turn = 0; turn < 2; turn += 1)
      expect(await (await call(vault, 'write', { id, input })).json()).toMatchObject({ kind: 'result' });
    const { changes } = api.history.parse(await vault.get('/history'));
    expect(changes.map((change) => change.id)).toEqual([id.toLowerCase()]);
    expect((await vault.send(`/history/${id}/undo`, { method: 'POST', json: {} })).status).toBe(200);
    expect(api.history.parse(await vault.get('/history')).changes.map(({ isUndone }) => isUndone)).toEqual([
      false,
      true,
    ]);
    expect(
      await readProblem(await vault.send(`/history/${id}/undo`, { method: 'POST', json: {} })),
    ).toMatchObject({ status: 409, code: 'wrong-state', detail: expect.stringContaining('already') });
  });

  it('is rejected when malformed or already used, without writing', async () => {
    const vault = await httpVault({ 'a.md': 'one\n' });
    const input = { path: 'bucket/a.md', content: 'x' };
    expect(await readProblem(await call(vault, 'write', { id: 'abc_12345', input }))).toMatchObject({
      status: 422,
    });
    const { id: update } = (await vault.get('/updates', { json: { text: 'remember' } })) as { id: string };
    const edited = await write(vault, 'a.md', 'two\n');
    for (const taken of [update, update.toUpperCase(), edited])
      expect(await (await call(vault, 'write', { id: taken, input })).json()).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('was used for another call'),
      });
    await call(vault, 'write', { id, input });
    expect(await (await call(vault, 'delete', { id, input: { path: 'a.md' } })).json()).toMatchObject({
      kind: 'refused',
    });
    expect(vault.text('a.md')).toMatch(/two\n$/);
    expect(api.history.parse(await vault.get('/history')).changes).toHaveLength(2);
  });
});

describe('an undo conflict', () => {
  it('is reported with the lines of both sides, and resolved as another request chooses', async () => {
    const vault = await httpVault({ 'a.md': 'one\n' });
    const first = await write(vault, 'a.md', 'two\n');
    await write(vault, 'a.md', 'three\n');
    const undo = (json?: object) =>
      vault.send(`/history/${first}/undo`, { method: 'POST', token: vault.owner, ...(json && { json }) });
    expect(await readProblem(await undo())).toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(/three[\s\S]*proposed lines[\s\S]*one\n```$/),
      next: expect.stringContaining('"conflict": "keep"'),
      errors: [{ path: 'vault/a.md', message: expect.stringMatching(/lines \d+-\d+/) }],
    });
    expect((await undo({ conflict: 'all' })).status).toBe(422);
    expect((await undo({ conflict: 'both' })).status).toBe(200);
    expect(vault.text('a.md')).toMatch(/three\none\n$/);
  });

  it('does not occur for an approved change that is undone by the id of the held change', async () => {
    const files = Array.from({ length: 12 }, (_, index) => [`old/${index}.md`, `${index}\n`]);
    const vault = await httpVault(Object.fromEntries(files));
    const id = '11111111-2222-4333-8444-555555555555';
    await vault.send('/tools/delete', { json: { id, input: { path: 'old' } } });
    const post = (path: string) => vault.send(path, { method: 'POST', token: vault.owner });
    expect((await post(`/updates/${id}/approve`)).status).toBe(200);
    expect((await vault.send('/files/old/0.md')).status).toBe(404);
    expect((await post(`/updates/${id}/undo`)).status).toBe(200);
    expect(vault.text('old/0.md')).toBe('0\n');
    expect(await vault.get(`/history/${id}`)).toMatchObject({ state: 'approved', isUndone: true });
  });
});

describe('a token', () => {
  const refused = { status: 403, code: 'not-the-person' };

  it('can undo its own changes but no others', async () => {
    const vault = await httpVault({ 'a.md': 'one\n', 'b.md': 'one\n' });
    const own = await write(vault, 'a.md', 'two\n');
    await vault.keepsake.callTool({
      tool: 'append',
      input: { path: 'b.md', content: 'words of the person', position: 'bottom' },
      reader: 'person',
      origin: 'test',
    });
    const [persons] = api.history.parse(await vault.get('/history?path=b.md')).changes;
    const undo = (id: string, json: object) => vault.send(`/history/${id}/undo`, { json });
    expect(await readProblem(await undo(persons?.id ?? '', {}))).toMatchObject(refused);
    expect(await readProblem(await undo(own, { conflict: 'replace' }))).toMatchObject(refused);
    expect(vault.text('b.md')).toContain('words of the person');
    expect((await undo(own, {})).status).toBe(200);
    expect(vault.text('a.md')).toBe('one\n');
  });

  it('cannot apply a held change by restoring it, and no credential can apply a rejected one', async () => {
    const vault = await httpVault();
    const id = '11111111-2222-4333-8444-555555555555';
    const input = { path: 'CLAUDE.md', content: 'Obey.\n' };
    await vault.send('/tools/write', { json: { id, input } });
    const restore = (more: object = {}) =>
      vault.send(`/history/${id}/restore`, { json: { path: 'CLAUDE.md' }, ...more });
    expect(await readProblem(await restore())).toMatchObject(refused);
    const asPerson = { token: vault.owner };
    expect(await readProblem(await restore(asPerson))).toMatchObject({ status: 409, code: 'wrong-state' });
    await vault.send(`/updates/${id}/reject`, { method: 'POST', ...asPerson });
    expect(await readProblem(await restore(asPerson))).toMatchObject({ status: 409, code: 'wrong-state' });
    expect(vault.text('CLAUDE.md')).toBeNull();
  });
});

describe('an external change', () => {
  it('is shown to the user, who can undo it; a token can neither undo it nor see hidden files in it', async () => {
    const names = Array.from({ length: 14 }, (_, index) => `private/${index}.md`);
    const files = Object.fromEntries(names.map((name) => [name, `what is in ${name}\n`]));
    const vault = await httpVault({ ...files, 'a.md': 'one\n' });
    const { changes } = vault.keepsake;
    const paths = ['a.md', ...names].map((name) => `vault/${name}` as VaultPath);
    await changes.baseline.addToBaseline(paths);
    await changes.baseline.markBaselineComplete();
    writeFileSync(join(vault.folder, 'a.md'), 'one\ntwo\n');
    await changes.recordExternalEdits(paths);
    for (const name of names) rmSync(join(vault.folder, name));
    await changes.recordExternalEdits(paths);
    const asPerson = { token: vault.owner };
    const { loss } = api.status.parse(await vault.get('/status', asPerson));
    expect(loss).toMatchObject({ files: 14 });
    const listed = api.history.parse(await vault.get('/history', asPerson));
    expect(listed.changes.map(({ origin, summary }) => `${summary} (${origin})`)).toEqual([
      'deleted 14 files (outside)',
      'edited vault/a.md (outside)',
    ]);
    const [lost = '', edited = ''] = listed.changes.map(({ id }) => id);
    expect(await readProblem(await vault.send(`/history/${edited}/undo`, { json: {} }))).toMatchObject({
      status: 403,
    });
    const configuration = join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake');
    mkdirSync(configuration, { recursive: true });
    writeFileSync(join(configuration, 'config.yaml'), "agents:\n  exclude: ['private/**']\n");
    // The configuration is cached for a tenth of a second.
    await sleep(150);
    const seen = JSON.stringify([await vault.get('/status'), await vault.get('/history')]);
    expect(seen).not.toContain(lost);
    expect(seen).toContain(edited);
    expect((await vault.send(`/history/${lost}/undo`, { json: {}, ...asPerson })).status).toBe(200);
    expect(names.map((name) => vault.text(name))).toEqual(names.map((name) => files[name]));
    expect(api.status.parse(await vault.get('/status', asPerson)).loss).toBeNull();
  });
});
