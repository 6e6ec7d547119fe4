import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { findOwnerProcess } from '../../packages/vault/src/app/index.ts';
import { processVariables } from '../process-variables.ts';
import { createToken, program, run, serve } from './program.ts';

/** In milliseconds; longer than the tenth of a second for which a process caches the configuration. */
const untilItCounts = 150;

type World = {
  root: string;
  vault: string;
  state: string;
  place: string[];
  token: string;
  env: Record<string, string>;
};
/** One way to query the vault; the result contains everything it returned. */
type Door = { name: string; ask: () => Promise<unknown> };
/** Unique words in the name and in the text of the files that are hidden in one round. */
type Canaries = { name: string; text: string };

/**
 * Hides files repeatedly while the vault is served. Each time, no tool, resource, prompt, event or route, over stdio next to a server, over
 * stdio alone or over HTTP, may expose their names or contents. Before the files are hidden, the same queries must show them, or the round
 * tests nothing.
 */
export async function doorsCampaign(rounds: number): Promise<number> {
  const world = newWorld();
  let service: ChildProcess | null = (await serve(world.place, world.env)).child;
  const stdio = await connectStdio(world);
  const updated: string[] = [];
  stdio.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void updated.push(params.uri),
  );
  const [counts, problems] = [{ asked: 0, showed: 0, silent: 0 }, [] as string[]];
  const started = performance.now();
  try {
    for (let round = 0; round < rounds; round += 1) {
      // In the second half, there is no server except the one that the stdio client starts.
      if (round === Math.ceil(rounds / 2) && service !== null) {
        service.kill('SIGTERM');
        await once(service, 'exit');
        service = null;
      }
      const where = service === null ? 'stdio alone' : 'beside a service';
      const canaries = { name: `nightjar${token()}`, text: `quokka${token()}` };
      keepBack(world, []);
      layOut(world, canaries);
      const http = await reachHttp(world, stdio);
      const events = await listen(http.url, world.token);
      const doors = [
        ...mcpDoors('stdio', stdio, canaries),
        ...mcpDoors('HTTP', http.client, canaries),
        ...routes(http.url, world.token, canaries),
      ];
      const before = await askAll(doors);
      keepBack(world, [`private/${canaries.name}/`, `projects/${canaries.name}/`]);
      await sleep(untilItCounts);
      const at = performance.now();
      updated.length = 0;
      const from = events.text().length;
      layOut(world, canaries, 'again ');
      const after = await askAll(doors);
      // Events about the files arrive a moment later.
      await sleep(Math.max(0, 700 - (performance.now() - at)));
      await events.end();
      await http.client.close();
      counts.asked += doors.length;
      for (const { name } of doors) {
        if (tells(before.get(name) ?? '', canaries)) counts.showed += 1;
        if (!tells(after.get(name) ?? '', canaries)) counts.silent += 1;
        else problems.push(`${where}: ${name} exposes a hidden file`);
      }
      if (!doors.some(({ name }) => tells(before.get(name) ?? '', canaries)))
        problems.push(`${where}: no query showed it before`);
      if (tells(events.text().slice(from), canaries)) problems.push(`${where}: an event exposes it`);
      if (updated.some((uri) => uri.includes(canaries.name)))
        problems.push(`${where}: a subscription exposes it`);
    }
  } finally {
    await stdio.close();
    service?.kill('SIGTERM');
    await sleep(200);
    rmSync(world.root, { recursive: true, force: true, maxRetries: 5 });
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `doors: hidden ${rounds} times while serving, ${counts.asked} queries: ${counts.showed} showed it before, ${counts.silent} exposed nothing ${untilItCounts} ms after; in ${seconds} s`,
  );
  for (const problem of problems.slice(0, 20)) console.log(`FAILED: ${problem}`);
  return problems.length + Number(counts.asked === 0);
}

const token = (): string => Math.random().toString(36).slice(2, 10);
const tells = (said: string, { name, text }: Canaries): boolean => said.includes(name) || said.includes(text);

function newWorld(): World {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-doors-'));
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  const env = { ...processVariables, XDG_CONFIG_HOME: join(root, 'config'), KEEPSAKE_VAULT: vault };
  run(['init', vault], env);
  const place = ['--vault', vault, '--state', state];
  return { root, vault, state, place, env, token: createToken(place, { env }) };
}

async function connectStdio({ place, env }: World): Promise<Client> {
  const client = new Client({ name: 'stdio', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  const args = [program, 'mcp', ...place];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return client;
}

/** The process that currently serves the vault; a call over stdio ensures that there is one. */
async function reachHttp(
  { state, token: secret }: World,
  stdio: Client,
): Promise<{ url: string; client: Client }> {
  await stdio.callTool({ name: 'vault_tree', arguments: {} });
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const owner = findOwnerProcess(state, Date.now);
    if (owner !== null) {
      const client = new Client({ name: 'http', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      const headers = { authorization: `Bearer ${secret}` };
      const transport = new StreamableHTTPClientTransport(new URL(`${owner.url}/mcp`), {
        requestInit: { headers },
      });
      const isReached = await client.connect(transport).then(
        () => true,
        () => false,
      );
      if (isReached) return { url: `${owner.url}/api/vaults/default`, client };
    }
    await sleep(100);
  }
  throw new Error('no process serves the vault');
}

function keepBack({ env }: World, patterns: string[]): void {
  const file = join(env['XDG_CONFIG_HOME'] ?? '', 'keepsake', 'config.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `agents:\n  exclude: ${JSON.stringify(patterns)}\n`);
  renameSync(`${file}.new`, file);
}

function layOut({ vault }: World, { name, text }: Canaries, more = ''): void {
  for (const folder of [`private/${name}`, `projects/${name}`]) {
    mkdirSync(join(vault, folder), { recursive: true });
    writeFileSync(
      join(vault, folder, 'state.md'),
      `# Diary of ${name}\n\nThe hidden word ${more}is ${text}.\n`,
    );
  }
}

/** All queries of an MCP client; none contains the words that must not be exposed. */
function mcpDoors(over: string, client: Client, { name }: Canaries): Door[] {
  const near = `private/${name.slice(0, -1)}/state.md`;
  const inputs: [string, Record<string, unknown>][] = [
    ['vault_tree', {}],
    ['vault_tree', { path: 'private' }],
    ['vault_read', { paths: ['private/', near] }],
    ['vault_search', { queries: ['hidden word diary'], mode: 'fast' }],
    ['vault_search', { queries: ['diary'], mode: 'fast', scopes: ['private/**', 'projects/**'] }],
    ['vault_concat', { files: [{ path: near }] }],
    ['vault_edit', { path: near, old: 'Diary', new: 'x' }],
    ['vault_append', { path: near.replace('state', 'other'), content: 'x', position: 'top' }],
  ];
  return [
    ...inputs.map(([tool, args], index) => ({
      name: `${tool} over ${over} (${index})`,
      ask: () => client.callTool({ name: tool, arguments: args }),
    })),
    { name: `resources/list over ${over}`, ask: () => client.listResources() },
    { name: `resources/templates over ${over}`, ask: () => client.listResourceTemplates() },
    { name: `resources/read over ${over}`, ask: () => client.readResource({ uri: `vault://${near}` }) },
    {
      name: `completion over ${over}`,
      ask: () =>
        client.complete({
          ref: { type: 'ref/prompt', name: 'brief_project' },
          argument: { name: 'project', value: 'night' },
        }),
    },
    { name: `prompts/list over ${over}`, ask: () => client.listPrompts() },
    {
      name: `prompts/get over ${over}`,
      ask: () => client.getPrompt({ name: 'brief_project', arguments: { project: 'night' } }),
    },
  ];
}

function routes(url: string, secret: string, { name }: Canaries): Door[] {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const ask = (path: string, body?: unknown) => async (): Promise<string> => {
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.text();
  };
  const near = `private/${name.slice(0, -1)}/state.md`;
  return [
    ...[
      '/tree',
      '/tree?path=private',
      '/history?limit=50',
      '/updates',
      '/inbox',
      '/status',
      `/files/${near}`,
    ].map((path) => ({ name: `GET ${path.replace(name.slice(0, -1), '…')}`, ask: ask(path) })),
    { name: 'POST /search', ask: ask('/search', { queries: ['hidden word diary'] }) },
    {
      name: 'POST /verify',
      ask: ask('/verify', { document: `\`\`\`vault/${near} (lines 1-1)\n1  | # Diary\n\`\`\`` }),
    },
    { name: 'POST /files/move', ask: ask('/files/move', { from: near, to: 'bucket/x.md' }) },
    ...['person', 'model'].map((reader) => ({
      name: `POST /tools/read for a ${reader}`,
      ask: ask('/tools/read', { input: { paths: ['private/', near] }, reader }),
    })),
  ];
}

/** Runs all queries. Error messages count as results, too. */
async function askAll(doors: readonly Door[]): Promise<Map<string, string>> {
  const said = new Map<string, string>();
  for (const { name, ask } of doors)
    said.set(
      name,
      await ask().then(JSON.stringify, (error: unknown) => `${String(error)} ${JSON.stringify(error)}`),
    );
  return said;
}

async function listen(
  url: string,
  secret: string,
): Promise<{ text: () => string; end: () => Promise<void> }> {
  const stopping = new AbortController();
  const headers = { authorization: `Bearer ${secret}` };
  const { body } = await fetch(`${url}/events`, { headers, signal: stopping.signal });
  let text = '';
  const reading = (async () => {
    for await (const part of body!.pipeThrough(new TextDecoderStream())) text += part;
  })().catch(() => undefined);
  return {
    text: () => text,
    async end() {
      stopping.abort();
      await reading;
    },
  };
}
