import {
  execute,
  inParallel,
  leftovers,
  scenarios,
  snapshot,
  surveyScenarios,
  withoutStrace,
} from './scenario.ts';
import type { Expected, Place, Scenario } from './scenario.ts';
import { countCalls, pick } from './kill.ts';

const errors = ['ENOSPC', 'EIO', 'EROFS', 'EMFILE'];
const env = { UV_THREADPOOL_SIZE: '1', NO_COLOR: '1' };

type Try = { scenario: string; call: string; error: string; when: number };

/**
 * Makes the n-th system call of each kind fail once. The command must report the truth: on success, the change is in
 * place; on failure, the old content is, and the command prints a message instead of a stack trace. The same command
 * must work right afterwards.
 */
export async function errorsCampaign(count: number): Promise<number> {
  const reason = withoutStrace();
  if (reason !== null) {
    console.log(`errors: skipped, because ${reason}`);
    return 0;
  }
  const tries: Try[] = [];
  const { template, places, expected } = await surveyScenarios(async (scenario, place) => {
    const before = snapshot(place.vault);
    const counts = await countCalls(place, scenario, [
      'openat',
      'fsync',
      'fdatasync',
      'pwrite64',
      'rename',
      'renameat2',
      'link',
      'unlink',
      'mkdir',
    ]);
    for (const [call, times] of counts) {
      // Node.js opens its own files first; a program that cannot load cannot report anything.
      for (let when = call === 'openat' ? Math.max(1, times - 25) : 1; when <= times; when += 1) {
        for (const error of errors) tries.push({ scenario: scenario.name, call, error, when });
      }
    }
    return { before, after: snapshot(place.vault) };
  });
  const outcomes = { succeeded: 0, refused: 0 };
  const chosen = pick(tries, count);
  console.log(`errors: ${chosen.length} of ${tries.length} points`);
  const failures = await inParallel(chosen, async ({ scenario: name, call, error, when }, worker) => {
    const place = places[worker] as Place;
    const scenario = scenarios.find((each) => each.name === name) as Scenario;
    const { before, after } = expected.get(name) as Expected;
    place.copyFrom(template);
    const args = place.argsOf(scenario);
    const inject = [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      `trace=${call}`,
      '-e',
      `inject=${call}:error=${error}:when=${when}`,
    ];
    const { out, err } = await execute('strace', [...inject, process.execPath, ...args], scenario.input, env);
    const isSuccess = out.includes(name === 'undo' ? 'undid' : '"ok":true') && !/^error: /m.test(err);
    const complaints: string[] = [];
    if (/\n {4}at /.test(err)) complaints.push(`a stack trace instead of a message: ${err.slice(0, 300)}`);
    const isUnfinished = err.includes('Keepsake finishes the change as soon as it can write again');
    if (isUnfinished) complaints.push(...(await place.reopen()));
    const found = snapshot(place.vault);
    outcomes[isSuccess ? 'succeeded' : 'refused'] += 1;
    if (isSuccess ? found !== after : !isUnfinished && found !== before)
      complaints.push(`said ${isSuccess ? 'done' : 'failed'}, but the files say otherwise: ${err}`);
    if (!isSuccess) {
      if (found !== after) await execute(process.execPath, args, scenario.input, env);
      if (snapshot(place.vault) !== after) complaints.push('does not work afterwards');
    }
    return [...complaints, ...leftovers(place.vault)];
  });
  console.log(`errors: ${outcomes.refused} failed, ${outcomes.succeeded} succeeded nevertheless`);
  for (const place of [template, ...places]) place.remove();
  return failures + (outcomes.refused === 0 ? 1 : 0);
}
