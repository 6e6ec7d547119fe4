import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findOwnerProcess, readEnvironment, resolveStateFolder } from '../../packages/vault/src/app/index.ts';
import { dial, startVaultHost } from '../../packages/vault/src/server/index.ts';
import type { VaultHost } from '../../packages/vault/src/server/index.ts';
import { agentVault, anEntry } from '../agents/agent-vault.ts';
import { processVariables } from '../process-variables.ts';
import { layOut, temporaryFolder, temporaryVault } from '../temporary-vault.ts';
import type { TestVault } from '../temporary-vault.ts';
import { call, connectCommand, eras, mcpCommand, textOf } from './clients.ts';
import type { Answer, Era } from './clients.ts';

// `keepsake mcp` as a client starts it. Behaviour that needs no separate process is tested in the other files.

describe('keepsake mcp alone', () => {
  it('writes only protocol messages to stdout, and exits after its client disconnects and pending writes complete', async () => {
    const root = temporaryFolder();
    const [folder, state] = [join(root, 'vault'), join(root, 'state')];
    layOut(folder, { 'tasks.md': '# one\n' });
    const { command, args } = mcpCommand({ folder, state });
    const child = spawn(command, args, { env: { ...processVariables, XDG_CONFIG_HOME: root } });
    onTestFinished(() => void child.kill());
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => void errors.push(text));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (id: number, method: string, params: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const clientInfo = { name: 'raw', version: '1' };
    child.stdin.write('{"jsonrpc":"1.0"}\n');
    send(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'keepsake' } },
    });
    const note = { path: 'bucket/note.md', content: 'written\n' };
    send(2, 'tools/call', { name: 'vault_write', arguments: note });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(readFileSync(join(folder, 'bucket/note.md'), 'utf8')).toContain('written');
    expect(errors.join('')).toContain('"level":"error"');
  });

  it('files an update with text from the conversation', async () => {
    const vault = await agentVault();
    vault.model.script(anEntry('A local model'), { text: 'Filed.' });
    const client = await connectCommand('legacy', { ...mcpCommand(vault), env: vault.variables });
    const result = await call(client, 'memory_update', { text: 'A local model replaces it.' });
    expect(textOf(result)).toMatch(/^filed: /);
  });
});

const files = Object.fromEntries([
  ['a.md', 'one\n'],
  ...Array.from({ length: 25 }, (_, index) => [`old/n${index}.md`, `Note ${index}\n`]),
]) as Record<string, string>;

type Hosted = { vault: TestVault; host: VaultHost; variables: Record<string, string> };

/** A vault that this process serves. */
async function hosted(): Promise<Hosted> {
  const vault = await temporaryVault(files);
  const variables = { ...processVariables, XDG_CONFIG_HOME: vault.state };
  const where = { vault: vault.folder, state: vault.state, environment: readEnvironment(variables) };
  const host = await startVaultHost({ ...where, log: () => undefined, onLeaseLost: () => undefined });
  if (host === null) throw new Error('another process serves it already');
  onTestFinished(() => host.close().catch(() => undefined));
  return { vault, host, variables };
}

const beside = ({ vault, variables }: Hosted, era: Era, flags: string[], answer?: Answer): Promise<Client> =>
  connectCommand(era, { ...mcpCommand(vault, ...flags), env: variables }, answer);

describe('keepsake mcp beside the process that serves the vault', () => {
  it.each(eras)(
    'keeps one session that can ask the user, and takes over when that process exits (%s)',
    async (era) => {
      const served = await hosted();
      const { vault, host } = served;
      const agree: Answer = () => ({ action: 'accept', content: { approve: true } });
      const client = await beside(served, era, [], agree);
      expect(textOf(await call(client, 'vault_read', { paths: 'a.md' }))).toContain('one');
      // A file read on this connection can be replaced on it.
      const edited = await call(client, 'vault_write', { path: 'a.md', content: 'two\n' });
      expect(edited).toMatchObject({ structuredContent: { errors: [] } });
      expect(readFileSync(join(vault.folder, 'a.md'), 'utf8')).toContain('two');
      expect(host.keepsake.changes.list({ limit: 1 })).toMatchObject([{ origin: 'mcp: test-client' }]);
      expect(textOf(await call(client, 'vault_delete', { path: 'old/' }))).toContain('approved');
      expect(existsSync(join(vault.folder, 'old/n1.md'))).toBe(false);
      await host.close();
      expect(textOf(await call(client, 'vault_read', { paths: 'a.md' }))).toContain('two');
      const added = await call(client, 'vault_append', {
        path: 'a.md',
        content: 'three',
        position: 'bottom',
      });
      expect(added).toMatchObject({ structuredContent: { errors: [] } });
      expect(readFileSync(join(vault.folder, 'a.md'), 'utf8').match(/three/g)).toHaveLength(1);
    },
  );

  it('can read but not write if it is read-only', async () => {
    const client = await beside(await hosted(), 'modern', ['--read-only']);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('vault_read');
    expect(names).not.toContain('vault_write');
  });
});

it('a connection to the process that serves the vault requires its secret', async () => {
  const { vault, variables } = await hosted();
  const where = { vault: vault.folder, state: vault.state, environment: readEnvironment(variables) };
  const owner = findOwnerProcess(resolveStateFolder(where), Date.now);
  if (owner === null) throw new Error('no process serves it');
  const about = { connection: 'x', isReadOnly: false };
  const connection = await dial(owner, about);
  expect(connection).not.toBeNull();
  connection?.destroy();
  expect(await dial({ ...owner, secret: 'guessed' }, about)).toBeNull();
});
