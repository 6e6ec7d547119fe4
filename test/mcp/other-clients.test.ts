import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { createLocalBackend } from '../../packages/vault/src/server/mcp/index.ts';
import { agentVault, looking } from '../agents/agent-vault.ts';
import type { AgentVault } from '../agents/agent-vault.ts';
import { processVariables } from '../process-variables.ts';
import { mcpCommand } from './clients.ts';
import { startHttp } from './http-server.ts';
import { findInstalled } from './installed.ts';
import type { Installed } from './installed.ts';
import { servedWithAgents } from './mcp-vault.ts';

const found = findInstalled();
if ('missing' in found) console.log(`skipped: ${found.missing}`);
const installed = found as Installed;

const files = { 'bucket/tasks.md': '# one\n\nstatus: open\n' };

/** A vault with a model, served on a port and startable over stdio. */
async function open(): Promise<{ vault: AgentVault; url: string }> {
  const vault = await agentVault(files);
  const { http } = servedWithAgents(vault);
  const server = await startHttp((request) =>
    http.fetch(request, { connection: 'token test', scope: 'write' }),
  );
  onTestFinished(() => server.close());
  return { vault, url: server.url };
}

async function revisionIn({ keepsake }: AgentVault, path: string): Promise<string> {
  const outcome = await createLocalBackend(keepsake, readEnvironment({})).callTool({
    tool: 'read',
    input: { paths: path },
    reader: 'model',
    origin: 'test',
  });
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return (outcome.result.value as unknown as { files: { revision: string }[] }).files[0]!.revision;
}

const read = { name: 'vault_read', input: { paths: ['bucket/tasks.md'] } };

describe.skipIf('missing' in found)('the official MCP inspector', () => {
  /** Every command opens a new connection. */
  async function inspect(
    vault: AgentVault,
    target: string[],
    method: string,
    ...more: string[]
  ): Promise<unknown> {
    const launcher = installed.file('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');
    const variables = Object.entries(vault.variables).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [launcher, '--cli', ...(target.length > 1 ? variables : []), ...target, '--method', method, ...more],
      {
        env: {
          ...processVariables,
          HOME: vault.state,
          MCP_CATALOG_PATH: join(vault.state, 'catalog.json'),
        },
      },
    ).catch((error: { stdout: string; stderr: string; code: number }) => {
      // When a tool returns an error, the inspector prints the result and exits with a non-zero code.
      if (error.stdout.trim() === '') throw new Error(error.stderr);
      return error;
    });
    return JSON.parse(stdout);
  }

  const transports = {
    stdio({ vault }: { vault: AgentVault }) {
      const { command, args } = mcpCommand(vault);
      return [command, ...args];
    },
    HTTP: ({ url }: { url: string }) => [url],
  };

  describe.each(Object.entries(transports))('over %s', (name, targetOf) => {
    const calls: { tool: string; input: object; says: RegExp }[] = [
      { tool: 'vault_tree', input: { depth: 1 }, says: /^vault\/ / },
      { tool: 'vault_read', input: { paths: ['bucket/tasks.md'] }, says: /1 {2}\| # one/ },
      { tool: 'vault_search', input: { queries: ['status'], mode: 'fast' }, says: /status: open/ },
      { tool: 'vault_concat', input: { files: [{ path: 'bucket/tasks.md', lines: '1-1' }] }, says: /# one/ },
      { tool: 'vault_write', input: { path: 'bucket/new.md', content: 'x\n' }, says: /^created/ },
      {
        tool: 'vault_append',
        input: { path: 'bucket/tasks.md', content: 'More.', position: 'bottom' },
        says: /^appended/,
      },
      {
        tool: 'vault_edit',
        input: {
          path: 'bucket/tasks.md',
          old: 'status: open',
          new: 'status: done',
        },
        // Over stdio, the file must have been read on the same connection, and this one has made no other call.
        says: name === 'HTTP' ? /^edited/ : /read the file first/,
      },
      { tool: 'vault_move', input: { from: 'bucket/tasks.md', to: 'bucket/moved.md' }, says: /^moved/ },
      { tool: 'vault_delete', input: { path: 'bucket/tasks.md' }, says: /^deleted/ },
      { tool: 'memory_search', input: { question: 'What is open?' }, says: /Nothing is open/ },
      { tool: 'memory_update', input: { text: 'A note.', wait_seconds: 0 }, says: /^queued/ },
      { tool: 'vault_history', input: { limit: 1 }, says: /no changes yet/ },
      { tool: 'vault_undo', input: { id: '00000000' }, says: /change not found/ },
      { tool: 'memory_status', input: { id: '00000000' }, says: /not found/ },
      { tool: 'memory_next', input: {}, says: /nothing waits/ },
      { tool: 'memory_done', input: { run: '00000000', summary: 'Nothing.' }, says: /there is no run/ },
      { tool: 'vault_today', input: {}, says: /^\w+day \d{4}-/ },
    ];

    it('lists every tool with a schema that all clients accept', async () => {
      const opened = await open();
      const { tools } = (await inspect(opened.vault, targetOf(opened), 'tools/list', '--strict')) as {
        tools: { name: string }[];
      };
      const tried = calls.map(({ tool }) => tool);
      expect(tools.map((tool) => tool.name).toSorted()).toEqual(tried.toSorted());
    });

    // Each call over stdio starts another process, so only the tool with a different result is called over stdio, too.
    const here = calls.filter(({ tool }) => name === 'HTTP' || tool === 'vault_edit');
    it.each(here)('calls $tool', async ({ tool, input, says }) => {
      const opened = await open();
      opened.vault.model.script(looking, { text: 'Nothing is open.\nI looked everywhere.' });
      const isAlone = name === 'HTTP' && tool === 'vault_edit';
      const revision = isAlone ? await revisionIn(opened.vault, 'bucket/tasks.md') : undefined;
      const json = JSON.stringify({ ...input, revision });
      const result = await inspect(
        opened.vault,
        targetOf(opened),
        'tools/call',
        '--tool-name',
        tool,
        '--tool-args-json',
        json,
      );
      const { content } = result as { content: { text: string }[] };
      expect(content[0]?.text).toMatch(says);
    });

    it('reads a resource', async () => {
      const opened = await open();
      const uri = 'vault://bucket/tasks.md';
      const resource = await inspect(opened.vault, targetOf(opened), 'resources/read', '--uri', uri);
      expect(resource).toMatchObject({
        contents: [{ uri, mimeType: 'text/markdown', text: files['bucket/tasks.md'] }],
      });
    });
  });

  it('gets a prompt', async () => {
    const opened = await open();
    const prompt = ['--prompt-name', 'brief_project', '--prompt-args', 'project=x'];
    const brief = await inspect(opened.vault, [opened.url], 'prompts/get', ...prompt);
    expect(JSON.stringify(brief)).toContain('Brief me on the project');
  });
});

/** The parts of the first-generation SDKs that the tests use; their types are not installed here. */
type V1Client = {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: object): Promise<{ content: { text: string }[]; structuredContent: { files: unknown[] } }>;
  readResource(request: object): Promise<{ contents: { text: string }[] }>;
  close(): Promise<void>;
};
type Make<Made> = new (...given: unknown[]) => Made;

describe.skipIf('missing' in found)('the first-generation MCP SDK', () => {
  it.each(['stdio', 'HTTP'])('lists and calls tools over %s', async (name) => {
    const { vault, url } = await open();
    const part = (path: string): Promise<unknown> =>
      installed.load('@modelcontextprotocol/sdk', `dist/esm/client/${path}.js`);
    const { Client } = (await part('index')) as { Client: Make<V1Client> };
    const { StdioClientTransport } = (await part('stdio')) as { StdioClientTransport: Make<unknown> };
    const { StreamableHTTPClientTransport } = (await part('streamableHttp')) as {
      StreamableHTTPClientTransport: Make<unknown>;
    };
    const client = new Client({ name: 'v1', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(
      name === 'HTTP'
        ? new StreamableHTTPClientTransport(new URL(url))
        : new StdioClientTransport({ ...mcpCommand(vault), env: vault.variables }),
    );
    expect((await client.listTools()).tools).toHaveLength(17);
    const result = await client.callTool({ name: read.name, arguments: read.input });
    expect(result.content[0]?.text).toContain('1  | # one');
    expect(result.structuredContent.files).toHaveLength(1);
    const resource = await client.readResource({ uri: 'vault://bucket/tasks.md' });
    expect(resource.contents[0]?.text).toBe(files['bucket/tasks.md']);
  });
});

type AiTool = { execute(input: unknown, options: object): Promise<{ content: { text: string }[] }> };
type AiClient = { tools(): Promise<Record<string, AiTool>>; close(): Promise<void> };

describe.skipIf('missing' in found)('the MCP client of the AI SDK', () => {
  it.each(['stdio', 'HTTP'])('lists and calls tools over %s', async (name) => {
    const { vault, url } = await open();
    const { createMCPClient } = (await installed.load('@ai-sdk/mcp', 'dist/index.js')) as {
      createMCPClient: (options: object) => Promise<AiClient>;
    };
    const { Experimental_StdioMCPTransport: Stdio } = (await installed.load(
      '@ai-sdk/mcp',
      'dist/mcp-stdio/index.js',
    )) as { Experimental_StdioMCPTransport: Make<unknown> };
    const transport =
      name === 'HTTP' ? { type: 'http', url } : new Stdio({ ...mcpCommand(vault), env: vault.variables });
    const client = await createMCPClient({ transport });
    onTestFinished(() => client.close());
    const tools = await client.tools();
    expect(Object.keys(tools)).toHaveLength(17);
    const result = await tools[read.name]!.execute(read.input, { toolCallId: '1', messages: [] });
    expect(result.content[0]?.text).toContain('1  | # one');
  });
});
