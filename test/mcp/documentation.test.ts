import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentVault } from '../agents/agent-vault.ts';
import { connectHttp } from './clients.ts';
import { servedWithAgents } from './mcp-vault.ts';

it('docs/connect/mcp.md lists exactly the existing tools and prompts', async () => {
  const vault = await agentVault();
  const { http } = servedWithAgents(vault);
  const client = await connectHttp(http, 'modern');
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const text = readFileSync(new URL('../../docs/connect/mcp.md', import.meta.url), 'utf8');
  const named = [...text.matchAll(/`((?:vault|memory)_[a-z]+)`/g)].map(([, name = '']) => name);
  expect([...new Set(named)].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  const listed = [...text.matchAll(/^- `([a-z_]+)`/gm)].map(([, name = '']) => name);
  expect(listed).toEqual(prompts.map(({ name }) => name));
});
