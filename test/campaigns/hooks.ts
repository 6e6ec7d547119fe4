import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseClaim } from '../../packages/vault/src/hook/index.ts';
import type { SessionEvent } from '../../packages/vault/src/hook/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { program, run } from './program.ts';

const atOnce = 8;
const busyLoops = 12;
/** The load average that a full run must reach. A short run ends before the average has risen. */
const minLoad = 16;
const minCallsForLoad = 1_000;
const perSession = 16;
/** The timeouts that the plugin requests from clients, in milliseconds. */
const budgetMs = { prompt: 30_000, 'session-start': 5_000 };
/** No client waits longer at the end of a session. A hook that is cut off there loses no words: the session ends by silence. */
const maxEndWaitMs = 3_000;

type Fault = 'none' | 'kill' | 'cut' | 'settings' | 'state' | 'disk' | 'large';
type Call = { number: number; fault: Fault; client: 'claude-code' | 'codex'; session: string };
type Ended = { code: number | null; output: string; took: number };

/**
 * Runs hooks of two clients on a machine with a load of at least 16: with broken settings or state, a full disk, 10 MB of
 * input or a hanging owner, and killed at random times or before their input is complete. Each hook that is not killed
 * exits with 0 within its timeout and prints nothing. Every prompt is in the vault once, however often `capture drain` is
 * killed, or `capture status` counts it as lost; every prompt of a hook without a fault is in the vault.
 */
export async function hooksCampaign(calls: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-hooks-'));
  const [vault, code, full] = ['vault', 'code', 'full'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [code, full]) mkdirSync(folder);
  const sound = homeOf(join(root, 'sound'));
  const spool = join(root, 'sound', 'state', 'keepsake', 'spool');
  const file = join(root, 'file');
  const environments: Record<Fault, NodeJS.ProcessEnv> = {
    none: sound,
    kill: sound,
    cut: sound,
    large: sound,
    settings: homeOf(join(root, 'broken')),
    state: { ...homeOf(join(root, 'stateless')), XDG_STATE_HOME: file },
    disk: { ...homeOf(join(root, 'full-disk')), XDG_STATE_HOME: full },
  };
  writeFileSync(file, 'no folder');
  run(['init', vault], sound);
  const settings = { vault, capture: 'everywhere', unattended: true, links: {} };
  for (const fault of ['none', 'state', 'disk'] as const)
    writeSettings(environments[fault], JSON.stringify(settings));
  writeSettings(environments.settings, '{"vault": ');
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', full]).status === 0;
  if (!isMounted) console.log('the full disk is skipped: mounting is not permitted');
  else spawnSync('dd', ['if=/dev/zero', `of=${join(full, 'fill')}`, 'bs=4k', 'count=1']);
  const random = randomNumbers(7);
  const faults: Fault[] = [
    ...(['none', 'none', 'none', 'none', 'kill', 'cut', 'settings', 'state', 'large'] as const),
    ...(isMounted ? (['disk'] as const) : []),
  ];
  const all = Array.from({ length: calls }, (_, number): Call => ({
    number,
    fault: faults[Math.floor(random() * faults.length)] ?? 'none',
    client: random() < 0.5 ? 'claude-code' : 'codex',
    session: `session-${Math.floor(number / perSession)}`,
  }));
  const problems: string[] = [];
  const times: number[] = [];
  let load = 0;
  const loops = Array.from({ length: busyLoops }, startBusyLoop);
  try {
    const waiting = all.values();
    const callHooks = async (): Promise<void> => {
      for (const call of waiting) {
        const { fault } = call;
        const killAfter = fault === 'kill' ? random() * 30 : fault === 'cut' ? 0 : null;
        const ended = await hook('prompt', call, code, environments[fault], killAfter);
        load = Math.max(load, loadavg()[0] ?? 0);
        // A hook with 10 MB of input takes as long as the client takes to send it, so it is not timed.
        const isTimed = killAfter === null && fault !== 'large';
        if (isTimed) times.push(ended.took);
        const isKilled = killAfter !== null && ended.code === null;
        if (!isKilled && ended.code !== 0) problems.push(`${fault}: exited with ${ended.code}`);
        if (ended.output !== '') problems.push(`${fault}: printed ${ended.output.slice(0, 100)}`);
        if (isTimed) problems.push(...overBudget('prompt', ended));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, callHooks));
    await endSessions(all, spool, code, sound, problems);
    for (const loop of loops) loop.kill();
    if (calls >= minCallsForLoad && load < minLoad)
      problems.push(`the load average reached only ${load.toFixed(1)} of ${minLoad}`);
    await hangingOwner(Math.ceil(calls / 100), vault, code, sound, problems);
    for (let kill = 0; kill < calls / 12; kill += 1)
      await killed(['capture', 'drain', '--vault', vault], sound, 300 + random() * 900);
    await whenDrained(spool);
    run(['capture', 'drain', '--vault', vault], sound);
    if (isMounted) spawnSync('mount', ['-o', 'remount,size=64m', full]);
    rmSync(file);
    problems.push(...unaccounted(all, vault, environments));
    if (globSync(join(spool, '*.json')).some((name) => !name.endsWith('filed.json')))
      problems.push('parts remain in the spool');
  } finally {
    for (const loop of loops) loop.kill();
    if (isMounted) spawnSync('umount', [full]);
    rmSync(root, { recursive: true, force: true });
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0);
  console.log(
    `${calls} hooks, ${atOnce} at once beside ${busyLoops} busy loops, load average up to ${load.toFixed(1)}: half within ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms, all within ${at(1)} ms of ${budgetMs.prompt}; ${sorted.filter((took) => took > 1_000).length} took more than a second`,
  );
  for (const problem of problems.slice(-20)) console.log(problem);
  return problems.length;
}

async function endSessions(
  all: readonly Call[],
  spool: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  problems: string[],
): Promise<void> {
  const sessions = new Map(all.map((call) => [`${call.session} ${call.client}`, call])).values();
  const times: number[] = [];
  for (const { session, client } of sessions) {
    const ended = await hook('session-end', { number: -1, fault: 'none', client, session }, cwd, env, null);
    times.push(ended.took);
    // A drain that a hook has started may be moving the events of this session, the end last, and takes long under load.
    for (let wait = 0; wait < 300 && !hasEnded(spool, session, client); wait += 1) await sleep(100);
    if (!hasEnded(spool, session, client)) problems.push(`the end of ${session} was not recorded`);
  }
  const late = times.filter((took) => took > maxEndWaitMs).length;
  console.log(
    `${times.length} ends of sessions under load: ${late} took more than ${maxEndWaitMs} ms, the slowest ${Math.max(...times).toFixed(0)} ms`,
  );
}

/** Waits for drains that hooks have started. A killed drain has left its lock file, which does not count as held. */
async function whenDrained(spool: string): Promise<void> {
  while (isHeld(join(spool, 'draining'))) await sleep(100);
}

/**
 * Reports prompts that are neither in the vault nor counted as lost, are in the vault twice, or are counted as lost
 * although they are in the vault.
 */
function unaccounted(
  all: readonly Call[],
  vault: string,
  environments: Record<Fault, NodeJS.ProcessEnv>,
): string[] {
  const notes = globSync(join(vault, 'bucket', 'sessions', '*.md'))
    .map((note) => readFileSync(note, 'utf8'))
    .join('\n')
    // A session is titled with the beginning of its first prompt.
    .replaceAll(/^# .*$/gm, '');
  const problems: string[] = [];
  const lost = new Map<NodeJS.ProcessEnv, number>();
  const recorded = { 'claude-code': 0, codex: 0 };
  for (const { number, fault, client } of all) {
    const found = notes.split(`(part ${number})`).length - 1;
    const isFine = fault === 'none' ? found === 1 : fault === 'kill' ? found <= 1 : found === 0;
    if (!isFine) problems.push(`${fault}: part ${number} is in the vault ${found} times`);
    recorded[client] += found;
    const home = environments[fault];
    lost.set(home, (lost.get(home) ?? 0) + (found === 0 ? 1 : 0));
  }
  let counted = 0;
  for (const [home, expected] of lost) {
    const status = JSON.parse(run(['capture', 'status', '--json', '--vault', vault], home)) as {
      lost: { prompts: number };
    };
    counted += status.lost.prompts;
    if (status.lost.prompts !== expected)
      problems.push(`${expected} prompts were lost in ${home['HOME']}, ${status.lost.prompts} are counted`);
  }
  const byClient = Object.entries(recorded).map(([client, count]) => `${count} of ${client}`);
  console.log(`${all.length} prompts: ${byClient.join(' and ')} recorded, ${counted} counted as lost`);
  return problems;
}

/** Starts a busy loop that ends with this process, even if this process is killed. */
function startBusyLoop(): ChildProcess {
  return spawn('sh', ['-c', `while kill -0 ${process.pid} 2>/dev/null; do :; done`], { stdio: 'ignore' });
}

/** Whether the end of a session was recorded: it is in the spool, or the whole session is already drained. */
function hasEnded(spool: string, session: string, client: string): boolean {
  const waiting = globSync(join(spool, '*.json')).flatMap((file) => {
    try {
      return [JSON.parse(readFileSync(file, 'utf8')) as SessionEvent];
    } catch {
      // The file was drained in the meantime.
      return [];
    }
  });
  const own = waiting.filter((part) => part.session === session && part.client === client);
  return own.length === 0 || own.some(({ event }) => event === 'session-end');
}

function isHeld(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // A process that was killed before it wrote its pid holds nothing.
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starts sessions while the process that serves the vault does not respond. */
async function hangingOwner(
  calls: number,
  vault: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  problems: string[],
): Promise<void> {
  const owner = spawn(process.execPath, [program, 'serve', '--vault', vault, '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(owner, 'close');
  await once(owner.stdout, 'data');
  owner.kill('SIGSTOP');
  for (let number = 0; number < calls; number += 1) {
    const call: Call = { number, fault: 'none', client: 'codex', session: `start-${number}` };
    const started = await hook('session-start', call, cwd, env, null);
    if (started.code !== 0) problems.push(`session-start with a hanging owner: exited with ${started.code}`);
    problems.push(...overBudget('session-start', started));
  }
  owner.kill('SIGCONT');
  owner.kill('SIGTERM');
  await ended;
}

function homeOf(home: string): NodeJS.ProcessEnv {
  return {
    ...processVariables,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
}

function writeSettings({ XDG_CONFIG_HOME = '' }: NodeJS.ProcessEnv, text: string): void {
  mkdirSync(join(XDG_CONFIG_HOME, 'keepsake'), { recursive: true });
  writeFileSync(join(XDG_CONFIG_HOME, 'keepsake', 'sessions.json'), text);
}

function overBudget(event: keyof typeof budgetMs, { took }: Ended): string[] {
  return took > budgetMs[event] ? [`${event}: took ${Math.round(took)} ms of ${budgetMs[event]}`] : [];
}

async function hook(
  event: string,
  { number, fault, client, session }: Call,
  cwd: string,
  env: NodeJS.ProcessEnv,
  killAfter: number | null,
): Promise<Ended> {
  const text = `(part ${number}) ${'What was said there, in some more words. '.repeat(fault === 'large' ? 250_000 : 12)}`;
  const said = JSON.stringify({
    session_id: session,
    cwd,
    prompt: text,
    [client === 'codex' ? 'turn_id' : 'prompt_id']: `${client}-${number}`,
    reason: 'other',
  });
  const [start, startedAt] = [performance.now(), Date.now()];
  const child = spawn(process.execPath, [program, 'hook', client, event], {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  // The hook may exit before it has read everything.
  child.stdin.on('error', () => undefined);
  if (fault === 'cut') child.stdin.write(said.slice(0, 100));
  else child.stdin.end(said);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  if (killAfter !== null) {
    await claimOf(child, env, startedAt);
    await sleep(killAfter);
    child.kill('SIGKILL');
  }
  const [code] = (await ended) as [number | null];
  return { code, output, took: performance.now() - start };
}

/**
 * Waits until a hook has created its claim: from then on, its prompt is either recorded or counted as lost. Clients do
 * not kill a hook before Node.js has started.
 */
async function claimOf(
  child: ChildProcess,
  { XDG_STATE_HOME = '' }: NodeJS.ProcessEnv,
  startedAt: number,
): Promise<void> {
  const folder = join(XDG_STATE_HOME, 'keepsake', 'spool', 'claims');
  // An earlier process with the same pid may have left a claim, too, so the time must match within a tolerance.
  const isOwn = (name: string): boolean => {
    const claim = parseClaim(name);
    return claim?.pid === child.pid && claim !== null && claim.calledAt > startedAt - 100;
  };
  while (child.exitCode === null && !globSync('*', { cwd: folder }).some(isOwn)) await sleep(1);
}

function killed(args: string[], env: NodeJS.ProcessEnv, after: number): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), after);
  return new Promise((resolve) => {
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
