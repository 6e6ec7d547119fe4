import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findOwner, readEnvironment, stateFolderFor } from '../../src/app/index.ts';
import { dial, startHost } from '../../src/server/index.ts';
import type { Host } from '../../src/server/index.ts';
import { processVariables } from '../process-variables.ts';
import { temporaryVault } from '../temporary-vault.ts';
import type { TestVault } from '../temporary-vault.ts';
import { call, connectCommand, eras, textOf } from './clients.ts';
import type { Answer, Era } from './clients.ts';

const files = Object.fromEntries([
  ['a.md', 'one\n'],
  ...Array.from({ length: 25 }, (_, index) => [`old/n${index}.md`, `Note ${index}\n`]),
]) as Record<string, string>;

type Beside = { vault: TestVault; host: Host; client: Client };

/** `keepsake mcp` as a client starts it, on a vault that this process serves. */
async function beside(
  era: Era,
  { flags = [], answer }: { flags?: string[]; answer?: Answer } = {},
): Promise<Beside> {
  const vault = await temporaryVault(files);
  const variables = { ...processVariables, XDG_CONFIG_HOME: vault.state };
  const where = { vault: vault.folder, state: vault.state, environment: readEnvironment(variables) };
  const host = await startHost({ ...where, log: () => undefined, onLost: () => undefined });
  if (host === null) throw new Error('somebody serves it already');
  onTestFinished(() => host.close().catch(() => undefined));
  const args = [resolve('src/cli/main.ts'), 'mcp', '--vault', vault.folder, '--state', vault.state, ...flags];
  const client = await connectCommand(era, { command: process.execPath, args, env: variables }, answer);
  return { vault, host, client };
}

describe.each(eras)('keepsake mcp beside the process that serves the vault (%s)', (era) => {
  it('is one connection there, and goes on by itself when that one is gone', async () => {
    const { vault, host, client } = await beside(era);
    expect(textOf(await call(client, 'vault_read', { paths: 'a.md' }))).toContain('one');
    // What was read on this connection may be replaced on it.
    const edited = await call(client, 'vault_write', { path: 'a.md', content: 'two\n' });
    expect(edited).toMatchObject({ structuredContent: { errors: [] } });
    expect(readFileSync(join(vault.folder, 'a.md'), 'utf8')).toContain('two');
    expect(host.keepsake.changes.list({ limit: 1 })).toMatchObject([{ origin: 'mcp: test-client' }]);
    await host.close();
    expect(textOf(await call(client, 'vault_read', { paths: 'a.md' }))).toContain('two');
    const added = await call(client, 'vault_append', { path: 'a.md', content: 'three', position: 'bottom' });
    expect(added).toMatchObject({ structuredContent: { errors: [] } });
    expect(readFileSync(join(vault.folder, 'a.md'), 'utf8').match(/three/g)).toHaveLength(1);
  });

  it('may look and not write where it was told so', async () => {
    const { client } = await beside(era, { flags: ['--read-only'] });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('vault_read');
    expect(names).not.toContain('vault_write');
  });

  it('asks the person', async () => {
    const { vault, client } = await beside(era, {
      answer: () => ({ action: 'accept', content: { approve: true } }),
    });
    expect(textOf(await call(client, 'vault_delete', { path: 'old/' }))).toContain('approved');
    expect(existsSync(join(vault.folder, 'old/n1.md'))).toBe(false);
  });
});

it('nobody else gets such a connection', async () => {
  const { vault } = await beside('modern');
  const variables = { ...processVariables, XDG_CONFIG_HOME: vault.state };
  const where = { vault: vault.folder, state: vault.state, environment: readEnvironment(variables) };
  const owner = findOwner(stateFolderFor(where), Date.now);
  if (owner === null) throw new Error('nobody serves it');
  const about = { connection: 'x', isReadOnly: false };
  const given = await dial(owner, about);
  expect(given).not.toBeNull();
  given?.destroy();
  expect(await dial({ ...owner, secret: 'guessed' }, about)).toBeNull();
});
