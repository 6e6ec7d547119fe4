import { expect, it } from 'vitest';
import { agentVault } from '../agents/agent-vault.ts';
import { connectHttp, connectStdio } from './clients.ts';
import { servedWithAgents } from './mcp-vault.ts';

/** Clients put the list at the start of every conversation. */
const maxTokens = 3_000;

it.each(['stdio', 'HTTP'])('the list of all tools costs at most 3,000 tokens over %s', async (transport) => {
  const vault = await agentVault();
  const served = servedWithAgents(vault);
  served.backend.hasEmbedder = async () => true;
  const client = await (transport === 'HTTP'
    ? connectHttp(served.http, 'modern')
    : connectStdio(served, 'modern'));
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(17);
  const lengths = tools.map(
    ({ name, description = '', inputSchema }) =>
      name.length + description.length + JSON.stringify(inputSchema).length,
  );
  expect(lengths.reduce((sum, length) => sum + length) / 4).toBeLessThanOrEqual(maxTokens);
  expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toMatch(/\$schema|"pattern"|9007/);
});
