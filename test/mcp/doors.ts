import type { Client } from '@modelcontextprotocol/client';
import { connectHttp, connectStdio, eras } from './clients.ts';
import type { McpVault } from './mcp-vault.ts';

type Door = { name: string; hasRun: boolean; connect: (vault: McpVault) => Promise<Client> };

/** Every way in: both transports, both eras. */
export const doors: Door[] = eras.flatMap((era) => [
  {
    name: `HTTP, ${era}`,
    hasRun: false,
    connect: (vault: McpVault) => connectHttp(vault.http, era),
  },
  {
    name: `stdio, ${era}`,
    hasRun: true,
    connect: (vault: McpVault) => connectStdio(vault, era),
  },
]);
