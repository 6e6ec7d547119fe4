import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '../../src/hook/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { program, run } from './program.ts';

const atOnce = 4;
const perSession = 8;
/** In milliseconds: a hook that does not get to it in time leaves without a word. */
const deadline = 1_000;

type Fault = 'none' | 'kill' | 'settings' | 'state' | 'disk' | 'large';
type Call = { number: number; fault: Fault; client: 'claude-code' | 'codex'; session: string };
type Ended = { code: number | null; output: string; took: number };

/**
 * Hooks of two clients at once, with settings and state that are broken, a disk that is full, 10 MB of input, an owner that hangs, and
 * killed at any moment: each one that is not killed ends with 0 and prints nothing, and what it was told on a sound machine is in the vault once,
 * however often the drain is killed.
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
  const environments: Record<Fault, NodeJS.ProcessEnv> = {
    none: sound,
    kill: sound,
    large: sound,
    settings: homeOf(join(root, 'broken')),
    state: { ...sound, XDG_STATE_HOME: join(root, 'file') },
    disk: { ...sound, XDG_STATE_HOME: full },
  };
  writeFileSync(join(root, 'file'), 'no folder');
  run(['init', vault], sound);
  const settings = { vault, capture: 'everywhere', unattended: true, links: {} };
  writeSettings(sound, JSON.stringify(settings));
  writeSettings(environments.settings, '{"vault": ');
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', full]).status === 0;
  if (!isMounted) console.log('a full disk cannot be had here: it takes the right to mount');
  else spawnSync('dd', ['if=/dev/zero', `of=${join(full, 'fill')}`, 'bs=4k', 'count=1']);
  const random = randomNumbers(7);
  const faults: Fault[] = [
    'none',
    'none',
    'kill',
    'settings',
    'state',
    'large',
    ...(isMounted ? (['disk'] as const) : []),
  ];
  const all = Array.from({ length: calls }, (_, number): Call => ({
    number,
    fault: faults[Math.floor(random() * faults.length)] ?? 'none',
    client: random() < 0.5 ? 'claude-code' : 'codex',
    session: `session-${Math.floor(number / perSession)}`,
  }));
  const problems: string[] = [];
  const times = new Map<number, number>();
  try {
    for (let from = 0; from < calls; from += atOnce)
      await Promise.all(
        all.slice(from, from + atOnce).map(async (call) => {
          const {
            code: ended,
            output,
            took,
          } = await hook(
            'prompt',
            call,
            code,
            environments[call.fault],
            call.fault === 'kill' ? random() * 150 : null,
          );
          if (call.fault === 'none') times.set(call.number, took);
          const isKilled = call.fault === 'kill' && ended === null;
          if (!isKilled && ended !== 0) problems.push(`${call.fault}: ended with ${ended}`);
          if (output !== '') problems.push(`${call.fault}: printed ${output.slice(0, 100)}`);
        }),
      );
    for (const { session, client } of new Map(
      all.map((call) => [`${call.session} ${call.client}`, call]),
    ).values())
      // On a busy machine it may leave without a word, and is told again.
      for (let time = 0; time < 50 && !hasEnded(spool, session, client); time += 1)
        await hook('session-end', { number: -1, fault: 'none', client, session }, code, sound, null);
    await hangingOwner(Math.ceil(calls / 100), vault, code, sound, problems);
    for (let kill = 0; kill < calls / 12; kill += 1)
      await killed(['capture', 'drain', '--vault', vault], sound, 300 + random() * 900);
    // Those that hooks started are over; one that was killed has left its lock.
    while (isHeld(join(spool, 'draining'))) await sleep(100);
    run(['capture', 'drain', '--vault', vault], sound);
    const notes = globSync(join(vault, 'bucket', 'sessions', '*.md'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    for (const { number, fault } of all) {
      const found = notes.split(`(part ${number})`).length - 1;
      const isLate = (times.get(number) ?? 0) > deadline;
      const isFine =
        fault === 'none'
          ? found === 1 || (found === 0 && isLate)
          : fault === 'kill'
            ? found <= 1
            : found === 0;
      if (!isFine) problems.push(`${fault}: part ${number} is in the vault ${found} times`);
    }
    if (globSync(join(spool, '*.json')).some((file) => !file.endsWith('filed.json')))
      problems.push('parts are left');
  } finally {
    if (isMounted) spawnSync('umount', [full]);
    rmSync(root, { recursive: true, force: true });
  }
  const sorted = [...times.values()].toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0);
  console.log(
    `${calls} hooks, ${atOnce} at once: half within ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms`,
  );
  for (const problem of problems.slice(0, 20)) console.log(problem);
  return problems.length;
}

/** Whether the end of a session was heard: it waits with the rest of it, or all of it is taken up already. */
function hasEnded(spool: string, session: string, client: string): boolean {
  const waiting = globSync(join(spool, '*.json')).flatMap((file) => {
    try {
      return [JSON.parse(readFileSync(file, 'utf8')) as Part];
    } catch {
      // Taken up meanwhile.
      return [];
    }
  });
  const own = waiting.filter((part) => part.session === session && part.client === client);
  return own.length === 0 || own.some(({ event }) => event === 'session-end');
}

function isHeld(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // One who was killed before it said who it is holds nothing.
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sessions that begin while the process that serves the vault does not answer. */
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
    const { code } = await hook('session-start', call, cwd, env, null);
    if (code !== 0) problems.push(`session-start beside a hanging owner: ended with ${code}`);
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

function hook(
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
    prompt_id: `${client}-${number}`,
    reason: 'other',
  });
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'hook', client, event], {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It may have ended before it read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(said);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timer = killAfter === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfter);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (timer !== null) clearTimeout(timer);
      resolve({ code, output, took: performance.now() - start });
    });
  });
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
