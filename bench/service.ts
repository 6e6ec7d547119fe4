import { fork, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { verdict } from './measure.ts';

const program = 'dist/cli/main.js';
const filesystem = '.tools/mcp/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const [notes, calls] = [50, 2_000];
const [listeners, clients] = [500, 200];

/** `npm run bench -- service [minutes]`: reading through MCP, and many clients at once for some time. */
export async function serviceBench(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  run(['init', vault]);
  for (let note = 0; note < notes; note += 1)
    writeFileSync(join(vault, `note-${note}.md`), `# Note ${note}\n\n${'A line of text.\n'.repeat(50)}`);
  const place = ['--vault', vault, '--state', state];
  const token = run(['token', 'create', 'bench', '--scope', 'write', ...place]).split('\n')[0] ?? '';
  try {
    const rate = await reading(vault, place);
    await crowd(vault, state, token, { rate, minutes: Number(process.argv[3] ?? 5) });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Requests per second, each alone on the machine and in turn, so that a slow moment does not fall on one of them. */
async function reading(vault: string, place: string[]): Promise<number> {
  const ours = await connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...place],
      stderr: 'ignore',
    }),
  );
  const read = (note: number) =>
    ours.callTool({ name: 'vault_read', arguments: { paths: `note-${note}.md` } });
  if (!existsSync(filesystem)) {
    console.log('server-filesystem is not here to compare with: node test/mcp/prepare.ts');
    await ours.close();
    return Number.NaN;
  }
  const theirs = await connect(
    new StdioClientTransport({ command: process.execPath, args: [filesystem, vault], stderr: 'ignore' }),
  );
  const readTheirs = (note: number) =>
    theirs.callTool({ name: 'read_text_file', arguments: { path: join(vault, `note-${note}.md`) } });
  const times = { ours: 0, theirs: 0 };
  for (let call = -200; call < calls; call += 1) {
    const note = Math.abs(call) % notes;
    const start = performance.now();
    await read(note);
    const middle = performance.now();
    await readTheirs(note);
    if (call < 0) continue;
    times.ours += middle - start;
    times.theirs += performance.now() - middle;
  }
  const [rate, theirRate] = [(calls / times.ours) * 1000, (calls / times.theirs) * 1000];
  const ratio = rate / theirRate;
  console.log(
    `vault_read over stdio: ${rate.toFixed(0)}/s, ${ratio.toFixed(2)}× server-filesystem (${theirRate.toFixed(0)}/s); at least 0.8×: ${verdict(ratio >= 0.8, ratio)}`,
  );
  await Promise.all([ours.close(), theirs.close()]);
  return rate;
}

/** Beside it: the same read over HTTP, through MCP and as a plain file. */
async function readingOverHttp(url: string, headers: Record<string, string>, stdio: number): Promise<void> {
  const client = await connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  const times = { mcp: 0, plain: 0 };
  for (let call = -200; call < calls; call += 1) {
    const name = `note-${Math.abs(call) % notes}.md`;
    const start = performance.now();
    await client.callTool({ name: 'vault_read', arguments: { paths: name } });
    const middle = performance.now();
    await (await fetch(`${url}/api/vaults/default/files/${name}`, { headers })).arrayBuffer();
    if (call < 0) continue;
    times.mcp += middle - start;
    times.plain += performance.now() - middle;
  }
  const rate = (time: number): number => (calls / time) * 1000;
  const ratio = rate(times.mcp) / stdio;
  console.log(
    `over HTTP: vault_read ${rate(times.mcp).toFixed(0)}/s, ${ratio.toFixed(2)}× stdio; at least 0.6×: ${verdict(ratio >= 0.6, ratio)}; a file ${rate(times.plain).toFixed(0)}/s`,
  );
  await client.close();
}

type Pulse = { megabytes: number; p99: number };

/** Many who listen and many who ask, for some minutes: no error, flat memory, an event loop that is free. */
async function crowd(
  vault: string,
  state: string,
  token: string,
  { rate, minutes }: { rate: number; minutes: number },
): Promise<void> {
  const worker = fork('bench/service-worker.mjs', [vault, state], { execArgv: ['--expose-gc'] });
  const { url } = (await answerOf(worker)) as { url: string };
  const headers = { authorization: `Bearer ${token}` };
  await readingOverHttp(url, headers, rate);
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
  for (let second = 0; second < minutes * 60; second += 10) {
    await sleep(10_000);
    worker.send('pulse');
    pulses.push((await answerOf(worker)) as Pulse);
  }
  stopping.abort();
  await Promise.all(all);
  worker.kill();
  const settled = pulses.slice(6);
  const [first = Number.NaN] = settled.map(({ megabytes }) => megabytes);
  const drift = Math.max(...settled.map(({ megabytes }) => Math.abs(megabytes / first - 1)));
  const p99 = Math.max(...settled.map((pulse) => pulse.p99));
  console.log(
    [
      `${listeners} listeners and ${clients} MCP clients for ${minutes} minutes: ${asked} calls, ${events} events, ${errors} errors`,
      `memory after the first minute: ${first.toFixed(0)} MB, at most ${(drift * 100).toFixed(0)} % away from it; at most 10 %: ${verdict(drift <= 0.1, first, drift)}`,
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
