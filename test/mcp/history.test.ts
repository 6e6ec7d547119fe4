import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startVaultHost } from '../../packages/vault/src/server/index.ts';
import { processVariables } from '../process-variables.ts';
import { temporaryVault } from '../temporary-vault.ts';
import { call, connectBeside, connectHttp, connectStdio, textOf } from './clients.ts';
import { mcpVault } from './mcp-vault.ts';
import type { McpVault } from './mcp-vault.ts';

const files = { 'tasks.md': '# Write the report\n' };
const idIn = (text: string): string => / {2}([0-9a-f]{8}) {2}/.exec(text)?.[1] ?? '';

async function history(client: Client, input: object = {}): Promise<string> {
  return textOf(await call(client, 'vault_history', input));
}

async function changeByPerson({ keepsake }: Pick<McpVault, 'keepsake'>, content: string): Promise<void> {
  const input = { path: 'tasks.md', content, position: 'bottom' };
  const outcome = await keepsake.callTool({
    tool: 'append',
    input,
    reader: 'person',
    origin: 'keepsake append',
  });
  expect(outcome).toMatchObject({ kind: 'result', result: { value: { errors: [] } } });
}

describe('the history tools', () => {
  it("list changes with their authors and undo the client's own changes", async () => {
    const vault = await mcpVault(files);
    const client = await connectHttp(vault.http, 'modern');
    expect(await history(client)).toBe('no changes yet');
    await call(client, 'vault_write', { path: 'bucket/a.md', content: 'mine' });
    await changeByPerson(vault, 'theirs');
    const [theirs = '', mine = '', ...more] = (await history(client)).split('\n');
    expect(theirs).toMatch(/ {2}[0-9a-f]{8} {2}.*appended .*vault\/tasks\.md \(keepsake append\)$/);
    expect(mine).toContain('(mcp: test-client)');
    expect(more).toEqual([]);
    expect(await history(client, { path: 'bucket/a.md', limit: 1 })).toBe(mine);
    const undone = await call(client, 'vault_undo', { id: idIn(mine) });
    expect(textOf(undone)).toMatch(/^undid [0-9a-f]{8} \(change [0-9a-f]{8}\)$/);
    expect(await history(client, { path: 'bucket/a.md' })).toContain('[undone]');
    const again = await call(client, 'vault_undo', { id: idIn(mine) });
    expect(again).toMatchObject({ isError: true });
    expect(textOf(again)).toContain('already undone by');
  });
});

describe("undo of another author's change", () => {
  it('is held and takes effect on approval', async () => {
    const vault = await mcpVault(files);
    const client = await connectHttp(vault.http, 'modern');
    await changeByPerson(vault, 'theirs');
    const before = readFileSync(join(vault.folder, 'tasks.md'), 'utf8');
    const theirs = idIn(await history(client));
    const held = textOf(await call(client, 'vault_undo', { id: theirs }));
    expect(held).toMatch(/^held for approval, nothing written: this undoes someone else's change\./);
    expect(readFileSync(join(vault.folder, 'tasks.md'), 'utf8')).toBe(before);
    expect(vault.keepsake.changes.find(theirs)?.isUndone).toBe(false);
    const [waiting] = vault.keepsake.changes.list({ state: 'held', limit: 1 });
    expect(waiting).toMatchObject({ origin: 'mcp: test-client' });
    expect((await vault.keepsake.changes.approve(waiting?.id ?? '')).kind).toBe('written');
    expect(readFileSync(join(vault.folder, 'tasks.md'), 'utf8')).not.toContain('theirs');
    expect(vault.keepsake.changes.find(theirs)?.isUndone).toBe(true);
  });

  it('is held if another client made the change', async () => {
    const vault = await mcpVault(files);
    const other = await connectHttp(vault.http, 'modern', 'write', { connection: 'token other' });
    await call(other, 'vault_write', { path: 'bucket/a.md', content: 'one' });
    const client = await connectHttp(vault.http, 'modern');
    expect(textOf(await call(client, 'vault_undo', { id: idIn(await history(client)) }))).toMatch(/^held/);
    expect(textOf(await call(client, 'vault_undo', { id: 'ffffffff' }))).toContain('change not found');
  });

  it('behaves the same through a connection to the process that serves the vault', async () => {
    const vault = await temporaryVault(files);
    const environment = readEnvironment({ ...processVariables, XDG_CONFIG_HOME: vault.state });
    const where = { vault: vault.folder, state: vault.state, environment, log: () => undefined };
    const host = await startVaultHost({ ...where, onLeaseLost: () => undefined });
    onTestFinished(async () => host?.close());
    const client = await connectBeside(where, 'modern');
    await call(client, 'vault_write', { path: 'bucket/a.md', content: 'mine' });
    await changeByPerson(vault, 'theirs');
    const [theirs = '', mine = ''] = (await history(client)).split('\n');
    expect(textOf(await call(client, 'vault_undo', { id: idIn(theirs) }))).toMatch(
      /^held for approval, nothing written/,
    );
    expect(textOf(await call(client, 'vault_undo', { id: idIn(mine) }))).toMatch(/^undid/);
    const unknown = await call(client, 'vault_undo', { id: 'ffffffff' });
    expect(unknown).toMatchObject({ isError: true });
  });

  it('is held between two local clients with the same name', async () => {
    const vault = await mcpVault(files);
    const [one, other] = [await connectStdio(vault, 'modern'), await connectStdio(vault, 'modern')];
    await call(one, 'vault_write', { path: 'bucket/a.md', content: 'one' });
    const id = idIn(await history(other));
    expect(textOf(await call(other, 'vault_undo', { id }))).toMatch(/^held/);
    expect(textOf(await call(one, 'vault_undo', { id }))).toMatch(/^undid/);
  });
});

it('the history tool rejects a path outside the vault', async () => {
  const client = await connectHttp((await mcpVault(files)).http, 'modern');
  const outside = await call(client, 'vault_history', { path: '../out.md' });
  expect(outside).toMatchObject({ isError: true });
  expect(textOf(outside)).toMatch(/^error: \.\.\/out\.md: /);
});
