import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { createMcpFactory } from '../../packages/vault/src/server/mcp/index.ts';
import { call, textOf } from './clients.ts';
import { mcpVault } from './mcp-vault.ts';

it('a factory serves any transport, and the servers of one run share what was read', async () => {
  const { backend } = await mcpVault({ 'tasks.md': '# one\n' });
  const options = { isReadOnly: false, version: '1', origin: 'test' };
  const connect = async (run: string): Promise<Client> => {
    const server = await createMcpFactory(backend, { ...options, run })({ era: 'legacy' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await server.connect(there);
    await client.connect(here);
    return client;
  };
  const change = { path: 'tasks.md', old: '# one', new: '# two' };
  await call(await connect('a'), 'vault_read', { paths: 'tasks.md' });
  expect(textOf(await call(await connect('b'), 'vault_edit', change))).toContain('read it before');
  expect(textOf(await call(await connect('a'), 'vault_edit', change))).toContain('edited vault/tasks.md');
});
