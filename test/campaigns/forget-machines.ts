import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { findOwnerProcess } from '../../packages/vault/src/app/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { program } from './program.ts';

const names = ['laptop', 'desktop', 'nas'];
const notes = 40;
const binaryBytes = 20_000_000;
/** Longer than the leases of a service. */
const suspensionMs = 7_000;
const settleTimeoutMs = 240_000;

type Random = (below: number) => number;
type Machine = {
  name: string;
  vault: string;
  env: NodeJS.ProcessEnv;
  state: () => string;
  service: Supervised;
};
/** A service that is started again when it fails, as a service manager does. */
type Supervised = {
  child: ChildProcess;
  url: string;
  restarts: number;
  problems: string[];
  isStopping: boolean;
};

/**
 * Three machines with a service each sync one vault with a large binary. One forgets a word while all processes are stopped again and
 * again, some for longer than their leases, and `doctor` runs on all machines. Then the word is nowhere, everything else is there, no
 * database is damaged, and every service that says that it is healthy works.
 */
export async function forgetMachinesCampaign(count: number): Promise<number> {
  let failures = 0;
  for (let turn = 1; turn <= count; turn += 1) {
    const problems = await runTurn(turn);
    for (const problem of problems.slice(0, 10)) console.log(`  turn ${turn}: ${problem}`);
    if (problems.length > 0) failures += 1;
  }
  return failures;
}

async function runTurn(seed: number): Promise<string[]> {
  const numbers = randomNumbers(seed * 7_919);
  const random: Random = (below) => Math.floor(numbers() * below);
  const place = mkdtempSync(join(tmpdir(), 'keepsake-forget-machines-'));
  const remote = join(place, 'remote.git');
  const word = `quokka-${seed}x${random(1e9).toString(36)}`;
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  const machines: Machine[] = [];
  const running = new Set<ChildProcess>();
  const started = performance.now();
  try {
    for (const name of names)
      machines.push(await startMachine({ place, name, remote, word, isFirst: machines.length === 0 }));
    for (const machine of machines) await finish(machine, ['sync']);
    const before = machines.map((machine) => contentOf(machine, word));
    const stress = startStress(machines, running, random);
    const attempts = await forget(machines, word, running);
    await stress.stop();
    const problems = [...stress.problems, ...(attempts > 3 ? ['forgetting never succeeded'] : [])];
    problems.push(...(await settle(machines, word)), ...(await checkServices(machines, remote)));
    for (const machine of machines) problems.push(...(await stop(machine)));
    problems.push(...machines.flatMap((machine) => damagedDatabases(machine)));
    problems.push(...findTraces(place, word), ...differences(machines, before, word));
    const { doctors, stops } = stress;
    const restarts = machines.reduce((sum, { service }) => sum + service.restarts, 0);
    const seconds = Math.round((performance.now() - started) / 1_000);
    console.log(
      `turn ${seed}: ${JSON.stringify({ attempts, doctors, stops, restarts, seconds, problems: problems.length })}`,
    );
    return problems;
  } finally {
    for (const { service } of machines) {
      service.isStopping = true;
      service.child.kill('SIGKILL');
    }
    for (const child of running) child.kill('SIGKILL');
    rmSync(place, { recursive: true, force: true });
  }
}

type Start = { place: string; name: string; remote: string; word: string; isFirst: boolean };

async function startMachine({ place, name, remote, word, isFirst }: Start): Promise<Machine> {
  const home = join(place, name);
  const vault = join(home, 'vault');
  mkdirSync(vault, { recursive: true });
  const env = {
    ...processVariables,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
  const stateFolder = (): string => {
    const { id } = JSON.parse(readFileSync(join(vault, '.keepsake/vault.json'), 'utf8')) as { id: string };
    return join(home, 'state', 'keepsake', id);
  };
  const machine: Omit<Machine, 'service'> = { name, vault, env, state: stateFolder };
  if (isFirst) {
    await finish(machine, ['init', '.']);
    mkdirSync(join(vault, 'notes'));
    for (let note = 0; note < notes; note += 1) {
      const secret = note % 8 === 0 ? `The code is ${word} here. ` : '';
      writeFileSync(join(vault, `notes/${note}.md`), `# Note ${note}\n\n${secret}Kept line ${note}.\n`);
    }
    writeFileSync(join(vault, 'big.pdf'), randomBytes(binaryBytes));
  }
  await finish(machine, ['sync', remote]);
  await finish(machine, ['sync', '--watch']);
  return { ...machine, service: await supervise(machine) };
}

/** Runs a command until it ends. */
function start({ vault, env }: Omit<Machine, 'service'>, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env, cwd: vault, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function ended(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise<number | null>((done) => void child.once('close', (exit) => done(exit)));
  return { code, said };
}

async function finish(machine: Omit<Machine, 'service'>, args: readonly string[]): Promise<string> {
  const { code, said } = await ended(start(machine, args));
  if (code !== 0) throw new Error(`${machine.name}: keepsake ${args.join(' ')} exited with ${code}: ${said}`);
  return said;
}

async function supervise(machine: Omit<Machine, 'service'>): Promise<Supervised> {
  const begin = async (): Promise<{ child: ChildProcess; url: string }> => {
    for (let attempt = 1; ; attempt += 1) {
      const child = start(machine, ['serve', '--port', '0']);
      const whole = ended(child);
      const url = await Promise.race([listening(child), whole.then(() => null)]);
      if (url !== null) return { child, url };
      if (attempt === 5) throw new Error(`${machine.name} does not start: ${(await whole).said}`);
      await sleep(2_000);
    }
  };
  const service: Supervised = { ...(await begin()), restarts: 0, problems: [], isStopping: false };
  const restart = async (): Promise<void> => {
    try {
      Object.assign(service, await begin());
      watch();
    } catch (error) {
      service.problems.push(String(error));
    }
  };
  const watch = (): void =>
    void service.child.once('exit', (code) => {
      if (service.isStopping) return;
      if (code === 0 || code === 2)
        service.problems.push(`${machine.name}: the service exited with ${code}, so nothing restarts it`);
      service.restarts += 1;
      void restart();
    });
  watch();
  return service;
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, url] = /MCP at (\S+)\/mcp\n/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Stops and continues processes, and runs `doctor`, until it is stopped itself. */
function startStress(machines: readonly Machine[], running: Set<ChildProcess>, random: Random) {
  const found = { problems: [] as string[], doctors: 0, stops: 0 };
  const over = new AbortController();
  const pausing = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const children = [...running, ...machines.map(({ service }) => service.child)];
      const child = children[random(children.length)];
      child?.kill('SIGSTOP');
      await sleep(turn % 12 === 6 ? suspensionMs : 100 + random(500));
      child?.kill('SIGCONT');
      found.stops += 1;
      await sleep(50 + random(250));
    }
  })();
  const diagnosing = machines.map(async (machine) => {
    while (!over.signal.aborted) {
      const { said } = await ended(start(machine, ['doctor']));
      found.doctors += 1;
      if (/malformed|is damaged|disk I\/O/.test(said))
        found.problems.push(`${machine.name}: doctor said: ${said}`);
      await sleep(500);
    }
  });
  return Object.assign(found, {
    async stop() {
      over.abort();
      await Promise.all([pausing, ...diagnosing]);
    },
  });
}

/** Returns the number of attempts; more than three if all failed. */
async function forget(
  [first]: readonly Machine[],
  word: string,
  running: Set<ChildProcess>,
): Promise<number> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const child = start(first as Machine, ['forget', word, '--yes']);
    running.add(child);
    const { code, said } = await ended(child);
    running.delete(child);
    if (code === 0) return attempt;
    console.log(`  attempt ${attempt} exited with ${code}: ${said.trim().split('\n').at(-1)}`);
  }
  return 4;
}

/** Syncs until the word is gone on all machines and all have the same files. */
async function settle(machines: readonly Machine[], word: string): Promise<string[]> {
  const giveUp = performance.now() + settleTimeoutMs;
  let last = '';
  for (;;) {
    for (const machine of machines) {
      const { code, said } = await ended(start(machine, ['sync']));
      if (code !== 0) last = `${machine.name}: sync exited with ${code}: ${said.trim()}`;
      if (/malformed/.test(said)) return [last];
    }
    const hasWord = machines.some(({ vault }) => hasText(vault, word));
    const isForgetting = machines.some(({ state }) => existsSync(join(state(), 'forgetting.json')));
    const isSame = new Set(machines.map((machine) => contentOf(machine, word).hash)).size === 1;
    if (!hasWord && !isForgetting && isSame) return [];
    if (performance.now() > giveUp)
      return [`not settled: ${JSON.stringify({ hasWord, isForgetting, isSame, last })}`];
  }
}

/** A service that says that it is healthy is the one that other processes find, and sends edits. */
async function checkServices(machines: readonly Machine[], remote: string): Promise<string[]> {
  const problems = machines.flatMap(({ service }) => service.problems);
  for (const { name, service, state, vault } of machines) {
    const giveUp = performance.now() + 60_000;
    const mark = `edit on ${name}`;
    const isWorking = async (): Promise<boolean> => {
      const response = await fetch(`${service.url}/api/health`).catch(() => null);
      return response?.status === 200 && findOwnerProcess(state(), Date.now)?.pid === service.child.pid;
    };
    while (!(await isWorking()) && performance.now() < giveUp) await sleep(200);
    if (!(await isWorking()))
      problems.push(`${name}: the service is not healthy, or no other process finds it`);
    writeFileSync(join(vault, `notes/${name}.md`), `# ${name}\n\n${mark}\n`);
    const isSent = (): boolean =>
      spawnSync('git', ['--git-dir', remote, 'grep', '-q', mark, 'main']).status === 0;
    while (!isSent() && performance.now() < giveUp + 60_000) await sleep(500);
    if (!isSent()) problems.push(`${name}: the service is healthy but syncs nothing`);
  }
  return problems;
}

async function stop({ name, service }: Machine): Promise<string[]> {
  service.isStopping = true;
  const over = new Promise<number | null>((done) => void service.child.once('exit', done));
  service.child.kill('SIGTERM');
  const code = await over;
  return code === 0 ? [] : [`${name}: the service ended with ${code}`];
}

function damagedDatabases({ name, state }: Machine): string[] {
  const folder = state();
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sqlite'))
    .flatMap((file) => {
      const database = new Database(join(folder, file), { readonly: true });
      const found = database.pragma('integrity_check(1)', { simple: true });
      database.close();
      return found === 'ok' ? [] : [`${name}: ${file}: ${String(found)}`];
    });
}

/** The word in files, states and repositories of all machines. */
function findTraces(place: string, word: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.name === 'HEAD' && existsSync(join(entry.parentPath, 'objects'))) {
      const args = ['--git-dir', entry.parentPath, 'cat-file', '--batch-all-objects', '--batch', '--buffer'];
      const { stdout } = spawnSync('git', args, { maxBuffer: 2 ** 30 });
      if (stdout.includes(word)) found.push(`an object of ${relative(place, entry.parentPath)} has the word`);
    }
    if (entry.isFile() && readFileSync(path).includes(word))
      found.push(`${relative(place, path)} has the word`);
  }
  return found;
}

function hasText(folder: string, text: string): boolean {
  return readdirSync(join(folder, 'notes')).some((name) =>
    readFileSync(join(folder, 'notes', name)).includes(text),
  );
}

type Content = { hash: string; lines: Set<string> };

/** The notes, without their stamps, and the binary of a machine; lines without those that contain the word. */
function contentOf({ vault }: Pick<Machine, 'vault'>, word: string): Content {
  const hash = createHash('sha256').update(readFileSync(join(vault, 'big.pdf')));
  const lines = new Set<string>();
  for (const name of readdirSync(join(vault, 'notes')).toSorted()) {
    // Each machine stamps a note when it changes it.
    const text = readFileSync(join(vault, 'notes', name), 'utf8').replaceAll(
      /^(?:created|updated): .*$/gm,
      '',
    );
    hash.update(`${name}\0${text}`);
    for (const sentence of text.split(/\n|(?<=\.) /))
      if (!sentence.includes(word)) lines.add(`${name} ${sentence}`);
  }
  return { hash: hash.digest('hex'), lines };
}

/** What was there besides the word is still there. */
function differences(machines: readonly Machine[], before: readonly Content[], word: string): string[] {
  return machines.flatMap((machine, index) => {
    const { lines } = contentOf(machine, word);
    const lost = [...(before[index]?.lines ?? [])].filter(
      (line) => !lines.has(line) && /Kept|# Note/.test(line),
    );
    return lost.length === 0 ? [] : [`${machine.name} lost ${lost.length} lines: ${lost[0]}`];
  });
}
