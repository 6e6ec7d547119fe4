import { onTestFinished } from 'vitest';
import { readEnvironment } from '../../src/app/index.ts';
import { createLocalBackend, createMcpHttp } from '../../src/server/mcp/index.ts';
import type { McpBackend, McpHttp, McpOptions } from '../../src/server/mcp/index.ts';
import { temporaryVault } from '../temporary-vault.ts';
import type { Files, TestVault } from '../temporary-vault.ts';

export type McpVault = TestVault & { backend: McpBackend; http: McpHttp; errors: unknown[] };

/** A vault without a model, served over HTTP in this process. */
export async function mcpVault(files: Files = {}, options: Partial<McpOptions> = {}): Promise<McpVault> {
  const vault = await temporaryVault(files);
  const backend = createLocalBackend(vault.keepsake, readEnvironment({ PATH: process.env['PATH'] }));
  return { ...vault, backend, ...served(backend, options) };
}

export function served(
  backend: McpBackend,
  options: Partial<McpOptions> = {},
): { http: McpHttp; errors: unknown[] } {
  const errors: unknown[] = [];
  const http = createMcpHttp(backend, {
    isReadOnly: false,
    version: '1.2.3',
    origin: 'mcp',
    onError: (error) => void errors.push(error),
    ...options,
  });
  onTestFinished(() => http.close());
  return { http, errors };
}
