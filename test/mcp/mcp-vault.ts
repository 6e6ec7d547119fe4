import { onTestFinished } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { createLocalBackend, createMcpHttp } from '../../packages/vault/src/server/mcp/index.ts';
import type { McpBackend, McpHttp, McpOptions } from '../../packages/vault/src/server/mcp/index.ts';
import type { AgentVault } from '../agents/agent-vault.ts';
import { temporaryVault } from '../temporary-vault.ts';
import type { Files, TestVault } from '../temporary-vault.ts';

/** A vault served over MCP, and the errors that its servers reported. */
export type Served = { backend: McpBackend; http: McpHttp; errors: unknown[] };
export type McpVault = TestVault & Served;

/** A vault without a model, served over HTTP in this process. */
export async function mcpVault(files: Files = {}, options: Partial<McpOptions> = {}): Promise<McpVault> {
  const vault = await temporaryVault(files);
  const backend = createLocalBackend(vault.keepsake, readEnvironment({ PATH: process.env['PATH'] }));
  return { ...vault, ...served(backend, options) };
}

/** A vault with a model, served over MCP. */
export function servedWithAgents({ keepsake, variables }: AgentVault): Served {
  return served(createLocalBackend(keepsake, readEnvironment(variables)));
}

export function served(backend: McpBackend, options: Partial<McpOptions> = {}): Served {
  const errors: unknown[] = [];
  const http = createMcpHttp(backend, {
    isReadOnly: false,
    version: '1.2.3',
    origin: 'mcp',
    onError: (error) => void errors.push(error),
    ...options,
  });
  onTestFinished(() => http.close());
  return { backend, http, errors };
}
