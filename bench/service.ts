import { fork, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { verdict } from './measure.ts';
import type { Size } from './measure.ts';

const program = 'packages/vault/dist/cli/main.js';
const filesystem = '.tools/mcp/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const notes = 50;
const sizes = {
  full: { calls: 2_000, warmUp: 200, listeners: 500, clients: 200, pulseMs: 10_000 },
  tiny: { calls: 3, warmUp: 1, listeners: 3, clients: 2, pulseMs: 100 },
};
type Counts = (typeof sizes)[Size];

/**
 * `npm run bench -- service [minutes]`: measures reads over MCP, then serves many concurrent clients for some minutes.
 */
export async function serviceBench(size: Size, minutesWanted = '5'): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const counts = sizes[size];
  const minutes = size === 'tiny' ? 0.01 : Number(minutesWanted);
  try {
    const [alone, served] = [layOut(join(root, 'alone')), layOut(join(root, 'served'))];
    const token = run(['token', 'create', 'bench', '--scope', 'write', ...served.place]).split('\n')[0] ?? '';
    const headers = { authorization: `Bearer ${token}` };
    const worker = fork('bench/service-worker.mjs', [served.vault, served.state], {
      execArgv: ['--expose-gc'],
    });
    const { url } = (await answerOf(worker)) as { url: string };
    try {
      await reading(alone, { url, headers }, counts);
      if (minutes > 0) await crowd(worker, { url, headers, minutes }, counts);
    } finally {
      worker.kill();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type Place = { vault: string; state: string; place: string[] };
type Served = { url: string; headers: Record<string, string> };

function layOut(folder: string): Place {
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  run(['init', vault]);
  for (let note = 0; note < notes; note += 1)
    writeFileSync(join(vault, `note-${note}.md`), `# Note ${note}\n\n${'A line of text.\n'.repeat(50)}`);
  return { vault, state, place: ['--vault', vault, '--state', state] };
}

/**
 * Measures the requests per second for each way of reading a note. Alternates between them with every request, so that
 * a slow moment affects all of them.
 */
async function reading({ vault, place }: Place, { url, headers }: Served, counts: Counts): Promise<void> {
  const node = process.execPath;
  const overStdio = (args: string[]): Promise<Client> =>
    connect(new StdioClientTransport({ command: node, args, stderr: 'ignore' }));
  const overHttp = (there: string): Promise<Client> =>
    connect(new StreamableHTTPClientTransport(new URL(`${there}/mcp`), { requestInit: { headers } }));
  const remembering = await rememberAnswers(url);
  const connected = {
    stdio: await overStdio([program, 'mcp', ...place]),
    http: await overHttp(url),
    remembered: await overHttp(remembering.url),
    ...(existsSync(filesystem) && { filesystem: await overStdio([filesystem, vault]) }),
  };
  const read = (client: Client) => (name: string) =>
    client.callTool({ name: 'vault_read', arguments: { paths: name } });
  const ways = {
    stdio: read(connected.stdio),
    http: read(connected.http),
    remembered: read(connected.remembered),
    file: async (name: string) =>
      (await fetch(`${url}/api/vaults/default/files/${name}`, { headers })).arrayBuffer(),
    filesystem: (name: string) =>
      connected.filesystem?.callTool({ name: 'read_text_file', arguments: { path: join(vault, name) } }),
  };
  const rates = await oneByOne(ways, counts);
  const line = (what: string, way: keyof typeof ways, against: keyof typeof ways, minRatio: number): void => {
    const ratio = rates[way] / rates[against];
    console.log(
      `${what}: ${rates[way].toFixed(0)}/s, ${ratio.toFixed(2)}× ${against} (${rates[against].toFixed(0)}/s); at least ${minRatio}×: ${verdict(ratio >= minRatio, ratio)}`,
    );
  };
  if (connected.filesystem === undefined)
    console.log('server-filesystem is not installed for comparison; run: node test/mcp/prepare.ts');
  else line('vault_read over stdio', 'stdio', 'filesystem', 0.8);
  line('vault_read over HTTP', 'http', 'stdio', 0.6);
  console.log(
    `the same client and a server that only replays cached answers: ${rates.remembered.toFixed(0)}/s, ${(rates.remembered / rates.stdio).toFixed(2)}× stdio; a file over HTTP: ${rates.file.toFixed(0)}/s`,
  );
  await Promise.all(Object.values(connected).map((client) => client.close()));
  remembering.close();
}

async function oneByOne<Way extends string>(
  ways: Record<Way, (name: string) => unknown>,
  { calls, warmUp }: Counts,
): Promise<Record<Way, number>> {
  const names = Object.keys(ways) as Way[];
  const times = Object.fromEntries(names.map((way) => [way, 0])) as Record<Way, number>;
  for (let call = -warmUp; call < calls; call += 1)
    for (const way of names) {
      const start = performance.now();
      await ways[way](`note-${Math.abs(call) % notes}.md`);
      if (call >= 0) times[way] += performance.now() - start;
    }
  return Object.fromEntries(names.map((way) => [way, (calls / times[way]) * 1000])) as Record<Way, number>;
}

/** Starts a server that only replays cached responses, as an upper bound for the speed of an HTTP server. */
async function rememberAnswers(url: string): Promise<{ url: string; close(): void }> {
  const known = new Map<string, { status: number; type: string; body: string }>();
  const server = createServer((request, response) => {
    void (async () => {
      const asked = (await text(request)) || 'null';
      const { id, ...what } = JSON.parse(asked) as { id?: unknown };
      const key = JSON.stringify(what);
      let answer = known.get(key);
      if (answer === undefined) {
        const { method = 'GET' } = request;
        const headers = Object.entries(request.headers).filter(
          (header): header is [string, string] =>
            typeof header[1] === 'string' && /^(authorization|content-type|accept|mcp-)/.test(header[0]),
        );
        const given = await fetch(`${url}${request.url}`, {
          method,
          headers,
          ...(method === 'POST' && { body: asked }),
        });
        const type = given.headers.get('content-type') ?? '';
        answer = {
          status: given.status,
          type,
          body: (await given.text()).replace(`"id":${JSON.stringify(id)}`, '"id":ID'),
        };
        known.set(key, answer);
      }
      response.writeHead(answer.status, { 'content-type': answer.type });
      response.end(answer.body.replace('"id":ID', `"id":${JSON.stringify(id)}`));
    })();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
}

type Pulse = { megabytes: number; p99: number };

/**
 * Runs many event listeners and MCP clients for some minutes. Expects no errors, constant memory and a responsive event
 * loop.
 */
async function crowd(
  worker: ChildProcess,
  { url, headers, minutes }: Served & { minutes: number },
  { listeners, clients, pulseMs }: Counts,
): Promise<void> {
  const stopping = new AbortController();
  let [errors, events, asked] = [0, 0, 0];
  const listen = async (): Promise<void> => {
    const response = await fetch(`${url}/api/vaults/default/events`, { headers, signal: stopping.signal });
    if (response.body === null || !response.ok) throw new Error(`events: ${response.status}`);
    for await (const chunk of response.body) events += chunk.length > 0 ? 1 : 0;
  };
  const ask = async (number: number): Promise<void> => {
    const client = await connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    );
    while (!stopping.signal.aborted) {
      const isWrite = asked % 100 === 0;
      asked += 1;
      const result = isWrite
        ? await client.callTool({
            name: 'vault_append',
            arguments: { path: `note-${number % notes}.md`, content: 'x', position: 'bottom' },
          })
        : await client.callTool({
            name: 'vault_read',
            arguments: { paths: `note-${number % notes}.md`, head: 200 },
          });
      if (result.isError === true) errors += 1;
      await sleep(1_000 + Math.random() * 2_000, undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
    await client.close();
  };
  const all = [
    ...Array.from({ length: listeners }, listen),
    ...Array.from({ length: clients }, (_, number) => ask(number)),
  ].map((work) =>
    work.catch(
      (error: unknown) => void (stopping.signal.aborted || ((errors += 1), console.log(String(error)))),
    ),
  );
  const pulses: Pulse[] = [];
  for (let time = 0; time < minutes * 60_000; time += pulseMs) {
    await sleep(pulseMs);
    worker.send('pulse');
    pulses.push((await answerOf(worker)) as Pulse);
  }
  stopping.abort();
  await Promise.all(all);
  const settled = pulses.slice(6);
  const [first = Number.NaN] = settled.map(({ megabytes }) => megabytes);
  const drift = Math.max(...settled.map(({ megabytes }) => Math.abs(megabytes / first - 1)));
  const p99 = Math.max(...settled.map((pulse) => pulse.p99));
  console.log(
    [
      `${listeners} listeners and ${clients} MCP clients for ${minutes} minutes: ${asked} calls, ${events} events, ${errors} errors`,
      `memory after the first minute: ${first.toFixed(0)} MB, at most ${(drift * 100).toFixed(0)} % deviation; at most 10 %: ${verdict(drift <= 0.1, first, drift)}`,
      `event loop p99: ${p99.toFixed(0)} ms; at most 100 ms: ${verdict(p99 <= 100, p99)}`,
    ].join('\n'),
  );
}

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return client;
}

function answerOf(worker: ChildProcess): Promise<unknown> {
  return new Promise((answer) => worker.once('message', answer));
}

function run(args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
