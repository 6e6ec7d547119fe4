import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './program.ts';
import {
  execute,
  inParallel,
  leftovers,
  Place,
  scenarios,
  snapshot,
  surveyScenarios,
  withoutStrace,
} from './scenario.ts';
import type { Expected, Scenario } from './scenario.ts';

const calls = [
  'write',
  'pwrite64',
  'fsync',
  'fdatasync',
  'rename',
  'renameat2',
  'link',
  'unlink',
  'mkdir',
  'rmdir',
  'ftruncate',
];
// Without --seccomp-bpf, which is faster but silently injects no signals.
const trace = ['-f', '-qq'];
const env = { UV_THREADPOOL_SIZE: '1', NO_COLOR: '1' };

type Try = { scenario: string; during: 'command' | 'recovery'; call: string; when: number };

/**
 * Kills the process at the n-th system call of each kind that changes a disk, for every scenario, and while it recovers
 * from such a kill. Acknowledged changes must survive; all others must be applied completely or not at all.
 */
export async function killCampaign(count: number): Promise<number> {
  const reason = withoutStrace();
  if (reason !== null) {
    console.log(`kill: skipped, because ${reason}`);
    return 0;
  }
  const tries: Try[] = [];
  /** The state that each scenario leaves when it is killed halfway, created once. */
  const halfway = new Map<string, Place>();
  const { template, places, expected } = await surveyScenarios(async (scenario, place, untouched) => {
    const before = snapshot(place.vault);
    const counts = await countCalls(place, scenario);
    const after = snapshot(place.vault);
    for (const [call, times] of counts)
      for (let when = 1; when <= times; when += 1)
        tries.push({ scenario: scenario.name, during: 'command', call, when });
    const crashed = new Place();
    await crashHalfway(crashed, untouched, scenario);
    halfway.set(scenario.name, crashed);
    place.copyFrom(crashed);
    for (const [call, times] of await countRecovery(place))
      for (let when = 1; when <= times; when += 1)
        tries.push({ scenario: scenario.name, during: 'recovery', call, when });
    return { before, after };
  });
  const chosen = pick(tries, count);
  console.log(`kill: ${chosen.length} of ${tries.length} points`);
  const outcomes = { killed: 0, before: 0, after: 0, acknowledged: 0 };
  const failures = await inParallel(chosen, async (each, worker) => {
    const place = places[worker] as Place;
    const scenario = scenarios.find(({ name }) => name === each.scenario) as Scenario;
    let isAcknowledged = false;
    if (each.during === 'command') {
      place.copyFrom(template);
      const ended = await killed(place.argsOf(scenario), scenario.input, each);
      if (ended.signal !== null) outcomes.killed += 1;
      isAcknowledged = ended.out.includes(scenario.name === 'undo' ? 'undid' : '"ok":true');
    } else {
      place.copyFrom(halfway.get(scenario.name) as Place);
      if ((await killed(recoveryArgs(place), '', each)).signal !== null) outcomes.killed += 1;
    }
    const complaints = await place.reopen();
    const found = snapshot(place.vault);
    const { before, after } = expected.get(scenario.name) as Expected;
    if (isAcknowledged) outcomes.acknowledged += 1;
    outcomes[found === after ? 'after' : 'before'] += 1;
    complaints.push(...leftovers(place.vault));
    if (found !== after && found !== before) complaints.push('the transaction is partially applied');
    if (isAcknowledged && found !== after) complaints.push('acknowledged, but not applied');
    return complaints;
  });
  console.log(
    `kill: ${outcomes.killed} killed; ${outcomes.after} completed, ${outcomes.before} as if never started, ${outcomes.acknowledged} had been acknowledged`,
  );
  // A campaign without kills proves nothing.
  const isReal = outcomes.killed > chosen.length * 0.8 && outcomes.before > 0 && outcomes.after > 0;
  if (!isReal) console.log('FAILED: too few of the kills occurred');
  for (const place of [template, ...places, ...halfway.values()]) place.remove();
  return failures + (isReal ? 0 : 1);
}

const recoveryArgs = (place: Place): string[] => [
  program,
  'tree',
  '--vault',
  place.vault,
  '--state',
  place.state,
];

function killed(args: string[], input: string, { call, when }: Try) {
  return execute(
    'strace',
    [
      ...trace,
      '-o',
      '/dev/null',
      '-e',
      `trace=${call}`,
      '-e',
      `inject=${call}:signal=KILL:when=${when}`,
      process.execPath,
      ...args,
    ],
    input,
    env,
  );
}

/**
 * Creates a vault whose journal is ahead of its files, by killing the process before it puts the first file in place.
 */
async function crashHalfway(place: Place, template: Place, scenario: Scenario): Promise<void> {
  place.copyFrom(template);
  const call = { write: 'link', move: 'link', delete: 'rename' }[scenario.name] ?? 'renameat2';
  await killed(place.argsOf(scenario), scenario.input, {
    scenario: scenario.name,
    during: 'command',
    call,
    when: 1,
  });
}

/** Counts how often the main thread makes each system call while the scenario runs undisturbed. */
export async function countCalls(
  place: Place,
  scenario: Scenario,
  names = calls,
): Promise<Map<string, number>> {
  return counted(place, place.argsOf(scenario), scenario.input, names);
}

async function countRecovery(place: Place): Promise<Map<string, number>> {
  return counted(place, recoveryArgs(place), '', calls);
}

async function counted(
  place: Place,
  args: string[],
  input: string,
  names: string[],
): Promise<Map<string, number>> {
  const log = join(place.folder, 'strace.log');
  const { code, err } = await execute(
    'strace',
    [...trace, '-e', `trace=${names.join(',')}`, '-o', log, process.execPath, ...args],
    input,
    env,
  );
  if (code !== 0) throw new Error(`the scenario fails by itself: ${err}`);
  // Counts only the main thread, which is first in the log: other threads and git do not write to vault or journal.
  // Ignores standard output and error, which a library syncs at exit.
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .map((line) => /^(\d+) +(\w+)\((?![12]\) )/.exec(line));
  const mainThread = lines[0]?.[1];
  const counts = new Map<string, number>();
  for (const line of lines) {
    const name = line?.[1] === mainThread ? line?.[2] : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  rmSync(log);
  return counts;
}

/** Picks items evenly; a count above their number means several rounds. */
export function pick<Item>(items: readonly Item[], count: number): Item[] {
  return Array.from(
    { length: count },
    (_, index) => items[Math.floor((index * items.length) / count) % items.length] as Item,
  );
}
