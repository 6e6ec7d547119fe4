import type { CallToolResult } from '@modelcontextprotocol/client';
import { keepsake } from '../agents/command-line.ts';
import { httpVault } from '../http/http-vault.ts';
import type { HttpVault } from '../http/http-vault.ts';
import { call, connectHttp, connectStdio, textOf } from '../mcp/clients.ts';
import { mcpVault, servedWithAgents } from '../mcp/mcp-vault.ts';
import type { Files } from '../temporary-vault.ts';

export type Interfaces = HttpVault & {
  /** Calls a tool at every interface and returns its texts; without the final newline of the terminal. */
  callEverywhere: (tool: string, input: object) => Promise<Record<string, string>>;
  /** Calls an MCP tool over stdio. */
  callMcp: (name: string, input: object) => Promise<CallToolResult>;
};

/** A vault that is open to MCP clients, HTTP and the command line at the same time. */
export async function openInterfaces(files: Files): Promise<Interfaces> {
  const vault = await httpVault(files);
  const served = servedWithAgents(vault);
  const stdio = await connectStdio(served, 'modern');
  const remote = await connectHttp(served.http, 'modern');
  return {
    ...vault,
    callMcp: (name, input) => call(stdio, name, input),
    async callEverywhere(tool, input) {
      const printed = await keepsake(vault, ['call', tool, JSON.stringify(input)]);
      const answered = await vault.get<{ result: { text: string } }>(`/tools/${tool}`, { json: { input } });
      return {
        'MCP over stdio': textOf(await call(stdio, `vault_${tool}`, input)),
        'MCP over HTTP': textOf(await call(remote, `vault_${tool}`, input)).replace(revisionLines, ''),
        HTTP: answered.result.text,
        'command line': printed.stdout.replace(/\n$/, ''),
      };
    },
  };
}

/** A vault that is open to an MCP client over stdio. */
export async function openMcp(files: Files): Promise<Pick<Interfaces, 'callMcp' | 'folder'>> {
  const vault = await mcpVault(files);
  const client = await connectStdio(vault, 'modern');
  return { folder: vault.folder, callMcp: (name, input) => call(client, name, input) };
}

/** A client that may write, but has no session, gets the revisions that `edit` takes, below the document. */
const revisionLines = /\n(\nrevision of \S+: [0-9a-f]{16})+$/;

/** The same text at each interface. */
export const everywhere = (text: string): Record<string, string> => ({
  'MCP over stdio': text,
  'MCP over HTTP': text,
  HTTP: text,
  'command line': text,
});
