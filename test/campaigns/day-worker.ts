// Simulates a day of a server with editors, agents and MCP clients, and random faults. Run by day.ts, which accelerates time.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { findOwnerProcess } from '../../packages/vault/src/app/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { Turn } from '../scripted-model/server.ts';
import { judgeFlatness, selectLongestRun, takeSample } from './flatness.ts';
import type { Sample } from './flatness.ts';
import { createToken, layOutNotes, program, run } from './program.ts';
import { leftovers, Place } from './scenario.ts';

const hours = Number(process.argv[2]);
const seed = Number(process.env['SEED'] ?? 7);
const random = randomNumbers(seed);
const [minute, hour] = [60_000, 3_600_000];
/** After this many hours, the server is no longer killed, so that its memory can be compared. */
const kills = hours / 3;
const began = Date.now();
const isOver = (): boolean => Date.now() - began >= hours * hour;
const elapsed = (): number => (Date.now() - began) / hour;

const place = new Place();
const { vault, state } = place;
const at = ['--vault', vault, '--state', state];
const model = await startScriptedModel();
const variables = {
  ...process.env,
  ...processVariables,
  XDG_CONFIG_HOME: join(place.folder, 'config'),
  KEEPSAKE_MODEL: 'openai-compatible/day',
  KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
};

/** The marks (unique strings) of acknowledged changes, which must be in the vault at the end. */
const acknowledged = new Set<string>();
const uncertain = new Set<string>();
/** The accepted updates by id, with their outcome. */
const accepted = new Map<string, { mark: string; end?: unknown }>();
const counts = {
  saves: 0,
  changes: 0,
  unanswered: 0,
  updates: 0,
  refused: 0,
  asked: 0,
  commands: 0,
  retried: 0,
};
const faults: Record<string, number> = {};
const problems: string[] = [];

/** Pauses all actors while measurements are taken. */
const gate = { isPaused: false, busy: 0 };
let marks = 0;
const newMark = (who: string): string => `mark-${who}-${(marks += 1)}-`;

mkdirSync(state, { mode: 0o700 });
const hasOwnDisk = mountState();
run(['init', vault], variables);
mkdirSync(join(place.folder, 'config/keepsake'), { recursive: true });
writeFileSync(join(place.folder, 'config/keepsake/config.yaml'), 'limits:\n  dailyTokens: 1000000000\n');
layOutNotes(vault, 30);
const token = createToken(at, { env: variables });
const headers = { authorization: `Bearer ${token}` };

/** Whether this process is stopping the server. */
let isEnding = false;
let service = startService();
let failing: Turn | null = null;
model.respond(({ userTexts, toolNames, toolResults }) => {
  if (failing !== null && random() < 0.5) return failing;
  return toolNames.includes('append') ? file(userTexts.join('\n')) : answer(toolResults.length);
});

const samples: Sample[] = [];
try {
  await reachable();
  await Promise.all([
    ...(['append', 'rename', 'truncate'] as const).map(editor),
    mcpOverHttp('one'),
    mcpOverHttp('two'),
    mcpOverStdio(),
    sender(),
    asker(),
    commands(),
    watcher(),
    disturber(),
    measurer(),
    progress(),
  ]);
  await settle();
  judgeMarks();
  // A short sample ends before anything could grow.
  if (hours >= 2) problems.push(...judgeFlatness(selectLongestRun(samples)));
  problems.push(...leftovers(vault));
} finally {
  failing = null;
  await model.close();
  service.kill('SIGKILL');
  if (hasOwnDisk) spawnSync('umount', [state]);
  place.remove();
}
for (const problem of problems.slice(0, 20)) console.log(`FAILED: ${problem}`);
process.exit(Math.min(problems.length, 100));

/** Repeatedly edits files of the vault, in one of the three ways in which editors save. */
async function editor(style: 'append' | 'rename' | 'truncate', number: number): Promise<void> {
  while (!isOver()) {
    await turn(0.5, 3, () => {
      // An editor that saves whole files has its own files; appends may hit shared ones.
      const own = 20 + number * 3 + Math.floor(random() * 3);
      const path = join(vault, `note-${style === 'append' ? Math.floor(random() * 20) : own}.md`);
      const mark = newMark(style);
      if (style === 'append') appendFileSync(path, `\n${mark}\n`);
      else {
        const text = `${readFileSync(path, 'utf8')}\n${mark}\n`;
        if (style === 'truncate') writeFileSync(path, text);
        else {
          writeFileSync(`${path}~`, text);
          renameSync(`${path}~`, path);
        }
      }
      acknowledged.add(mark);
      counts.saves += 1;
      return Promise.resolve();
    });
  }
}

async function mcpOverHttp(name: string): Promise<void> {
  let open: Client | null = null;
  while (!isOver()) {
    await turn(0.5, 3, async () => {
      const client = (open ??= await connectMcp(
        new StreamableHTTPClientTransport(new URL(`${await address()}/mcp`), { requestInit: { headers } }),
      ));
      if (!(await work(client, name)) || random() < 0.05) {
        await client.close().catch(() => undefined);
        open = null;
      }
    });
  }
  await (open as Client | null)?.close().catch(() => undefined);
}

/** A client that repeatedly connects, finds the server or serves the vault itself, and disconnects. */
async function mcpOverStdio(): Promise<void> {
  while (!isOver()) {
    await turn(10, 40, async () => {
      const client = await connectMcp(
        new StdioClientTransport({
          command: process.execPath,
          args: [program, 'mcp', ...at],
          env: stringsOf(variables),
          stderr: 'ignore',
        }),
      );
      for (let call = 0; call < 3; call += 1) await work(client, 'stdio');
      await client.close();
    });
  }
}

/** Whether the call was answered; an unanswered one may have been applied. */
async function work(client: Client, name: string): Promise<boolean> {
  const mark = newMark(name);
  const path = `note-${Math.floor(random() * 20)}.md`;
  const [tool, input] = [
    ['vault_append', { path, content: mark, position: 'bottom' }],
    ['vault_read', { paths: path }],
    ['vault_search', { queries: ['note mark'], mode: 'fast' }],
  ][random() < 0.5 ? 0 : 1 + Math.floor(random() * 2)] as [string, Record<string, unknown>];
  try {
    const { isError } = await client.callTool({ name: tool, arguments: input });
    if (tool === 'vault_append' && isError !== true) acknowledged.add(mark);
    else uncertain.add(mark);
    counts.changes += Number(tool === 'vault_append' && isError !== true);
    return true;
  } catch {
    uncertain.add(mark);
    counts.unanswered += 1;
    return false;
  }
}

/** Sends updates to the agent; every accepted one must be filed in the end. */
async function sender(): Promise<void> {
  while (!isOver()) {
    await turn(3, 10, async () => {
      const mark = newMark('update');
      const response = await request('POST', 'updates', { text: `Remember ${mark}, it matters.` });
      if (response?.status === 202) {
        const { id } = (await response.json()) as { id: string };
        accepted.set(id, { mark });
        acknowledged.add(mark);
        counts.updates += 1;
      } else {
        uncertain.add(mark);
        counts.refused += 1;
      }
    });
  }
}

async function asker(): Promise<void> {
  while (!isOver())
    await turn(15, 45, async () => {
      await request('POST', 'answers', { question: 'What matters?' });
      counts.asked += 1;
    });
}

async function commands(): Promise<void> {
  while (!isOver())
    await turn(20, 60, async () => {
      const mark = newMark('command');
      const path = `note-${Math.floor(random() * 20)}.md`;
      const status = await finished(
        spawn(process.execPath, [program, 'append', path, ...at], {
          env: variables,
          stdio: ['pipe', 'ignore', 'ignore'],
        }),
        mark,
      );
      (status === 0 ? acknowledged : uncertain).add(mark);
      counts.commands += 1;
    });
}

/** Browser tabs that open, watch for a while, and close without notice. */
async function watcher(): Promise<void> {
  while (!isOver())
    await turn(5, 20, async () => {
      const abort = new AbortController();
      const response = await request('GET', 'events', undefined, abort.signal);
      await Promise.race([response?.body?.getReader().read(), sleep(5 * minute)]).catch(() => undefined);
      abort.abort();
    });
}

/** Repeatedly causes a random fault and repairs it. */
async function disturber(): Promise<void> {
  while (!isOver()) {
    await sleep(between(10, 30) * minute);
    if (gate.isPaused || isOver()) continue;
    const kinds = [
      modelFails,
      asleep,
      hostile,
      ...(hasOwnDisk ? [diskFull] : []),
      ...(elapsed() < kills ? [killed] : []),
    ];
    const kind = kinds[Math.floor(random() * kinds.length)] ?? hostile;
    faults[kind.name] = (faults[kind.name] ?? 0) + 1;
    gate.busy += 1;
    await kind().finally(() => (gate.busy -= 1));
  }
}

async function modelFails(): Promise<void> {
  const ways: Turn[] = [
    { fault: 'status', status: 429 },
    { fault: 'status', status: 500 },
    { fault: 'garbage' },
    { fault: 'cut', after: 40, turn: { text: 'It is filed' } },
    { text: 'I have filed it.' },
  ];
  failing = ways[Math.floor(random() * ways.length)] ?? null;
  await sleep(5 * minute);
  failing = null;
}

async function asleep(): Promise<void> {
  service.kill('SIGSTOP');
  await sleep(between(2, 20) * minute);
  service.kill('SIGCONT');
}

async function killed(): Promise<void> {
  isEnding = true;
  service.kill('SIGKILL');
  await finished(service);
  isEnding = false;
  if (random() < 0.3)
    for (const name of ['index.sqlite', 'catalogue.sqlite']) rmSync(join(state, name), { force: true });
  service = startService();
}

async function diskFull(): Promise<void> {
  const filler = join(state, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'], { stdio: 'ignore' });
  await sleep(between(1, 5) * minute);
  rmSync(filler, { force: true });
}

/** Opens connections that send nothing, send slowly, or send garbage. */
async function hostile(): Promise<void> {
  const { hostname, port } = new URL(await address());
  const sockets = Array.from({ length: 50 }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  );
  for (const socket of sockets.slice(0, 25))
    socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999999\r\n\r\n{');
  await request('POST', 'updates', { text: 7 });
  await request('PUT', 'files/..%2f..%2fetc%2fpasswd', { text: 'x' });
  await sleep(2 * minute);
  for (const socket of sockets) socket.destroy();
}

/** Measures every half hour while all actors pause, so that only leaked resources remain in use. */
async function measurer(): Promise<void> {
  while (!isOver()) {
    await sleep(0.5 * hour);
    gate.isPaused = true;
    while (gate.busy > 0) await sleep(minute / 4);
    await sleep(6 * minute);
    samples.push({ ...takeSample(service.pid ?? 0, vault, state), at: elapsed(), operations: marks });
    gate.isPaused = false;
  }
}

async function progress(): Promise<void> {
  while (!isOver()) {
    await sleep(hour);
    const { memory, handles } = samples.at(-1) ?? { memory: 0, handles: 0 };
    console.log(
      `day: ${elapsed().toFixed(1)} h, ${acknowledged.size} acknowledged, ${memory.toFixed(0)} MB, ${handles} handles`,
    );
  }
}

/** Waits until all accepted updates are finished, after all faults are repaired. */
async function settle(): Promise<void> {
  failing = null;
  const until = Date.now() + 3 * hour;
  const left = new Set(accepted.keys());
  while (left.size > 0 && Date.now() < until) {
    for (const id of left) {
      const response = await request('GET', `updates/${id}`);
      const update = response?.ok ? ((await response.json()) as { state: string }) : { state: 'unknown' };
      (accepted.get(id) as { end?: unknown }).end = update;
      if (update.state === 'done') left.delete(id);
      // The update was parked because the model failed; retry it now.
      if (update.state === 'parked' && (await request('POST', `updates/${id}/retry`))?.ok)
        counts.retried += 1;
    }
    await sleep(minute);
  }
  if (left.size > 0)
    problems.push(`${left.size} accepted updates are never finished, such as ${[...left][0]}`);
  await sleep(10 * minute);
  isEnding = true;
  service.kill('SIGTERM');
  const status = await finished(service);
  if (status !== 0) problems.push(`the server exited with ${status}`);
}

function judgeMarks(): void {
  const files = readdirSync(vault, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('.'),
  );
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const times = new Map<string, number>();
  for (const text of texts)
    for (const [mark] of text.matchAll(/mark-[a-z]+-\d+-/g)) times.set(mark, (times.get(mark) ?? 0) + 1);
  const lost = [...acknowledged].filter((mark) => !times.has(mark));
  const twice = [...acknowledged, ...uncertain].filter(
    (mark) => !mark.includes('update') && (times.get(mark) ?? 0) > 1,
  );
  if (acknowledged.size === 0) problems.push('nothing was acknowledged');
  if (lost.length > 0)
    problems.push(`${lost.length} acknowledged marks are missing, such as ${lost.slice(0, 5).join(', ')}`);
  for (const { mark, end } of accepted.values())
    if (lost.includes(mark)) problems.push(`${mark} was an update, and ended as ${JSON.stringify(end)}`);
  if (twice.length > 0)
    problems.push(`${twice.length} changes were applied twice, such as ${twice.slice(0, 5).join(', ')}`);
  console.log(
    `day: seed ${seed}, ${hours} h, ${JSON.stringify(counts)}, faults ${JSON.stringify(faults)}, ${model.requests.length} model requests`,
  );
}

/** Performs an action after a random pause, in minutes. A failed action is only counted. */
async function turn(least: number, most: number, act: () => Promise<void>): Promise<void> {
  await sleep(between(least, most) * minute);
  while (gate.isPaused) await sleep(minute / 4);
  if (isOver()) return;
  gate.busy += 1;
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      problems.push(`not over after three hours: ${act.toString().slice(0, 200)}`);
      resolve();
    }, 3 * hour);
    act()
      .then(resolve, reject)
      .finally(() => clearTimeout(late));
  })
    .catch(() => void (counts.unanswered += 1))
    .finally(() => (gate.busy -= 1));
}

function between(least: number, most: number): number {
  return least + random() * (most - least);
}

async function request(
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Response | null> {
  const init = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal ?? AbortSignal.timeout(30 * minute),
  };
  return fetch(`${await address()}/api/vaults/default/${path}`, init).catch(() => null);
}

async function address(): Promise<string> {
  for (;;) {
    const owner = findOwnerProcess(state, Date.now);
    if (owner !== null) return owner.url;
    await sleep(minute / 4);
  }
}

async function reachable(): Promise<void> {
  const health = await fetch(`${await address()}/api/health`);
  if (!health.ok) throw new Error(`the server answers ${health.status}`);
}

/** Starts the server, and restarts it whenever it exits. */
function startService(): ChildProcess {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', ...at], {
    env: variables,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2_000)));
  child.on('exit', (code) => {
    if (child !== service || isEnding) return;
    // For example, because another process took over the vault while this one was suspended.
    faults['ended by itself'] = (faults['ended by itself'] ?? 0) + 1;
    if (/\n\s+at /.test(said)) problems.push(`the server exited with ${code}: ${said}`);
    setTimeout(() => (service = startService()), minute);
  });
  return child;
}

async function connectMcp(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'day', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return client;
}

function finished(child: ChildProcess, input?: string): Promise<number | null> {
  if (input !== undefined) child.stdin?.end(input);
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((done) => child.once('exit', done));
}

/** Mounts a separate file system for the state, which can be filled without affecting others. */
function mountState(): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=0700', 'tmpfs', state]);
  if (status !== 0) console.log('day: the state has no separate disk (not root), so it is never full');
  return status === 0;
}

function stringsOf(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The behaviour of the update agent: it writes the mark to the changelog. */
function file(said: string): Turn {
  const mark = /Remember (mark-update-\d+-)/.exec(said)?.[1] ?? 'nothing';
  return {
    text: `Summary: kept ${mark.length} letters.`,
    calls: [
      {
        tool: 'append',
        input: {
          path: 'vault/changelog.md',
          content: `# 2026-11-16\n\n## It matters\nRemember ${mark}, it matters.`,
          position: 'top',
        },
      },
    ],
  };
}

function answer(results: number): Turn {
  return results === 0
    ? { calls: [{ tool: 'search', input: { queries: ['matters'], mode: 'fast' } }] }
    : { text: 'Nothing is known of it.' };
}
