import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertWithinLimits } from '../packages/vault/src/contract/index.ts';
import type { LimitName, VaultLimits } from '../packages/vault/src/contract/index.ts';
import { createLocalBackend } from '../packages/vault/src/server/mcp/index.ts';
import { readEnvironment } from '../packages/vault/src/app/index.ts';
import { anEntry, looking } from './agents/agent-vault.ts';
import { httpVault, readProblem } from './http/http-vault.ts';
import type { HttpVault } from './http/http-vault.ts';
import { served } from './mcp/mcp-vault.ts';

/** A vault served by HTTP and MCP, whose limits can be changed meanwhile. */
async function limited(files: Record<string, string> = {}, clock?: () => number) {
  const limits: VaultLimits = {};
  const vault = await httpVault(files, {
    vaultLimits: () => limits,
    ...(clock && { clock, now: clock }),
  });
  const size = () => vault.keepsake.catalogue.size();
  const write = (path: string, content: string) =>
    vault.send('/tools/write', { json: { input: { path, content } } });
  const paths = async (): Promise<string[]> => {
    const listed = await vault.get<{ text: string }>('/tree');
    return listed.text.split('\n');
  };
  return { ...vault, limits, size, write, paths, mcp: mcpOf(vault) };
}

/** Calls a tool of the vault through MCP. */
function mcpOf(vault: HttpVault) {
  const { http } = served(createLocalBackend(vault.keepsake, readEnvironment(vault.variables)));
  return async (name: string, given: object): Promise<{ isError?: boolean; content: { text: string }[] }> => {
    const response = await http.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: given },
        }),
      }),
      { connection: 'token test', scope: 'write' },
    );
    const text = await response.text();
    const line = text.split('\n').find((each) => each.startsWith('data: {')) ?? text;
    return (JSON.parse(line.replace('data: ', '')) as { result: never }).result;
  };
}

describe('a storage limit', () => {
  it('rejects changes that exceed it, but never those that free space', () => {
    const limits = { bytes: 100, files: 2 };
    const tries = (size: { bytes: number; files: number }, growth: typeof size): LimitName | null => {
      try {
        assertWithinLimits(limits, size, growth);
        return null;
      } catch (error) {
        return (error as { code: LimitName }).code;
      }
    };
    expect(tries({ bytes: 90, files: 1 }, { bytes: 10, files: 1 })).toBeNull();
    expect(tries({ bytes: 90, files: 1 }, { bytes: 11, files: 0 })).toBe('bytes');
    expect(tries({ bytes: 9, files: 2 }, { bytes: 1, files: 1 })).toBe('files');
    expect(tries({ bytes: 900, files: 20 }, { bytes: -1, files: -1 })).toBeNull();
    expect(tries({ bytes: 900, files: 20 }, { bytes: 0, files: 0 })).toBeNull();
  });
});

describe('a full vault', () => {
  it('rejects writes through every interface, without partial writes', async () => {
    const vault = await limited({ 'bucket/a.md': 'a\n', 'bucket/moved.md': 'm\n' });
    Object.assign(vault.limits, { files: (await vault.size()).files });
    const before = await vault.paths();

    const written = await vault.write('bucket/b.md', 'b\n');
    expect(await readProblem(written)).toMatchObject({
      status: 507,
      code: 'full',
      detail: `the vault is full: limit of ${vault.limits.files} files`,
      next: 'delete files you no longer need, or ask the operator of the service to raise the limit',
    });
    const put = await vault.send('/files/bucket/c.md', {
      method: 'PUT',
      headers: { 'if-none-match': '*', 'content-type': 'text/markdown' },
      body: 'c\n',
    });
    expect(await readProblem(put)).toMatchObject({ status: 507, code: 'full' });
    const called = await vault.mcp('vault_write', { path: 'bucket/d.md', content: 'd\n' });
    expect(called).toMatchObject({ isError: true });
    expect(called.content[0]?.text).toContain('the vault is full');
    const form = new FormData();
    form.set('text', 'keep this');
    form.append('files', new File(['x\n'], 'x.md', { type: 'text/markdown' }));
    expect(await readProblem(await vault.send('/updates', { body: form }))).toMatchObject({ code: 'full' });

    expect(await vault.paths()).toEqual(before);
    expect(vault.keepsake.changes.list({ limit: 10 })).toEqual([]);
    // Existing files can be read, changed and moved as before.
    expect((await vault.send('/files/bucket/a.md')).status).toBe(200);
    const moved = await vault.send('/tools/move', {
      json: { input: { from: 'bucket/moved.md', to: 'bucket/n.md' } },
    });
    expect(moved.status).toBe(200);
  });

  it('parks an update whose changes do not fit, and files it on retry when there is space', async () => {
    const vault = await limited();
    vault.limits.bytes = (await vault.size()).bytes + 10;
    const changelog = vault.text('changelog.md');
    vault.model.script(anEntry('Something that takes more than ten bytes'), { text: 'Summary: noted.' });
    const parked = await vault.file({ text: 'a' });
    expect(parked).toMatchObject({ state: 'parked' });
    expect(parked.reason).toMatchObject({ code: 'full-bytes' });
    expect(vault.text('changelog.md')).toBe(changelog);

    delete vault.limits.bytes;
    vault.model.script(anEntry('Something that takes more than ten bytes'), { text: 'Summary: noted.' });
    expect(await vault.keepsake.agents.updates.retry(parked.id)).toBe(true);
    await vault.keepsake.agents.updates.work(parked.id, new AbortController().signal, () => undefined);
    expect(vault.text('changelog.md')).toContain('more than ten bytes');
  });

  it('can be made smaller, even by undoing an addition, but not larger again', async () => {
    const vault = await limited({ 'bucket/a.md': `${'word '.repeat(200)}\n` });
    await vault.write('bucket/b.md', 'b\n');
    const [added] = vault.keepsake.changes.list({ limit: 1 });
    const { bytes, files } = await vault.size();
    // Below the current usage, as when a limit is lowered.
    Object.assign(vault.limits, { bytes: bytes - 1, files: files - 1 });
    const asked = { token: vault.owner, json: {} };
    expect((await vault.send(`/history/${added?.id}/undo`, asked)).status).toBe(200);
    expect(vault.text('bucket/b.md')).toBeNull();
    const gone = await vault.send('/files/bucket/a.md?confirm=true', {
      method: 'DELETE',
      token: vault.owner,
      headers: { 'if-match': '*' },
    });
    expect(gone.status).toBe(200);
    expect((await vault.write('bucket/small.md', 's\n')).status).toBe(200);
    const { change } = (await gone.json()) as { change: string };
    expect(await readProblem(await vault.send(`/history/${change}/undo`, asked))).toMatchObject({
      code: 'full',
    });
    expect(statSync(join(vault.folder, 'bucket/small.md')).isFile()).toBe(true);
  });
});

describe('a vault under load', () => {
  it('limits the requests of all clients per minute, without counting unauthenticated requests', async () => {
    let now = 1_000_000;
    const vault = await limited({}, () => now);
    vault.limits.requests = 3;
    for (let time = 0; time < 5; time += 1)
      expect((await vault.send('/inbox', { token: 'wrong' })).status).toBe(401);
    for (const token of [vault.reader, vault.writer, vault.reader])
      expect((await vault.send('/inbox', { token })).status).toBe(200);
    for (const path of ['/inbox', '//mcp']) {
      const refused = await vault.send(path, path === '//mcp' ? { json: {} } : {});
      expect(refused.headers.get('retry-after')).toBe('20');
      expect(await readProblem(refused)).toMatchObject({
        status: 429,
        code: 'too-many',
        detail: 'rate limit exceeded: 3 requests per minute',
      });
    }
    now += 20_000;
    expect((await vault.send('/inbox')).status).toBe(200);
    expect((await vault.send('/inbox')).status).toBe(429);
    vault.limits.requests = 6;
    now += 10_000;
    expect((await vault.send('/inbox')).status).toBe(200);
  });

  it('limits the concurrent searches through all interfaces together', async () => {
    const vault = await limited({ 'bucket/a.md': 'apples\n' });
    vault.limits.searches = 2;
    const { search: engine } = vault.keepsake;
    const find = engine.search.bind(engine);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let waiting = 0;
    engine.search = async (...request) => {
      waiting += 1;
      await gate;
      return find(...request);
    };
    const asked = { queries: ['apples'], mode: 'fast' };
    const search = () => vault.send('/search', { json: asked });
    const two = [search(), vault.mcp('vault_search', asked)] as const;
    await expect.poll(() => waiting, { timeout: 60_000 }).toBe(2);
    for (const refused of [await search(), await vault.send('/tools/search', { json: { input: asked } })]) {
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await readProblem(refused)).toMatchObject({ status: 429, code: 'too-many' });
    }
    const byMcp = await vault.mcp('vault_search', asked);
    expect(byMcp).toMatchObject({ isError: true });
    expect(byMcp.content[0]?.text).toContain('too many concurrent searches: limit of 2');
    open();
    expect((await two[0]).status).toBe(200);
    expect((await two[1]).isError).toBeUndefined();
    expect((await search()).status).toBe(200);
  });

  it('stops calling models when the daily tokens are used up; updates wait for the next day', async () => {
    let now = new Date(2025, 6, 14, 23, 0).getTime();
    const vault = await limited({ 'bucket/a.md': 'apples\n' }, () => now);
    vault.limits.tokens = 1;
    vault.model.script(looking, { text: 'Nothing about it.' }, { text: 'Nothing about it.' });
    const ask = () => vault.send('/answers', { json: { question: 'apples?' } });
    // The first step exceeds the limit, and there is no second one.
    expect(await readProblem(await ask())).toMatchObject({ code: 'model-failed' });
    expect(vault.model.requests).toHaveLength(1);
    const refused = await ask();
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(await readProblem(refused)).toMatchObject({ status: 429, code: 'too-many' });
    expect(() => vault.keepsake.agents.updates.start(() => undefined)).toThrow('model tokens');
    now += 2 * 3_600_000;
    await vault.keepsake.agents.updates.start(() => undefined).stop();
  });
});
