import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makePlace, program, serve } from './program.ts';
import { leftovers } from './scenario.ts';

/** Programs per round, all at the same time. */
const perRound = 125;
/** In milliseconds; longer than the time a note must be unchanged before it is stamped. */
const pause = 8_500;
/** How long the last write may take to reach the note, in milliseconds. */
const timeoutMs = 120_000;
/** How many processes append the same line to one note at the same time. */
const appendsAtOnce = 6;

type Job = {
  file: string;
  /** Keeps the note open and appends; keeps it open and writes at its own offset; or closes and reopens it each time. */
  kind: 'appending' | 'slow' | 'returning';
  lines: string[];
  delay: number;
  /** What an agent adds to the note while the program has it open, if anything. */
  agent: { line: string; position: 'top' | 'bottom' } | null;
};

/**
 * Programs write notes with long pauses while a server stamps and indexes the same notes and agents change them; in
 * every second round the server is killed. Every line must end up in its note, and no note may be replaced
 * unnecessarily.
 */
export async function writersCampaign(count: number): Promise<number> {
  const { root, vault, place } = makePlace('writers');
  let { child: service } = await serve(place);
  let [failures, written, agents, kills] = [0, 0, 0, 0];
  for (let from = 0, round = 0; from < count; from += perRound, round += 1) {
    const jobs = Array.from({ length: Math.min(perRound, count - from) }, (_, index) =>
      jobOf(vault, from + index),
    );
    const programs = promisify(execFile)(process.execPath, [
      join(import.meta.dirname, 'appenders.mjs'),
      JSON.stringify({ jobs, pause }),
    ]);
    // By now every program has written once, and none twice.
    await sleep(3_000);
    const made = await changeAll(jobs, place);
    agents += made.size;
    if (round % 2 === 1) {
      service.kill('SIGKILL');
      await once(service, 'close');
      kills += 1;
      ({ child: service } = await serve(place));
    }
    const replaced = new Set(JSON.parse((await programs).stdout) as string[]);
    const until = performance.now() + timeoutMs;
    while (jobs.some((job) => missingIn(job, made).length > 0) && performance.now() < until) await sleep(200);
    for (const job of jobs) {
      const complaints = missingIn(job, made).map((line) => `“${line}” is lost`);
      if (job.agent === null && replaced.has(job.file))
        complaints.push('the note was replaced while it was open');
      if (complaints.length > 0) failures += 1;
      for (const complaint of complaints) console.log(`FAILED ${job.file} (${job.kind}): ${complaint}`);
      written += 1;
    }
  }
  const equal = [await equalAppends(vault, place, 'beside-service')];
  // The server finishes its current work before it exits.
  service.kill('SIGTERM');
  await once(service, 'close');
  equal.push(await equalAppends(vault, place, 'without-service'));
  failures += equal.filter((isWhole) => !isWhole).length;
  const left = leftovers(vault);
  for (const complaint of left) console.log(`FAILED: ${complaint}`);
  rmSync(root, { recursive: true, force: true });
  console.log(
    `writers: ${written} programs next to the server, ${agents} notes changed by an agent meanwhile, ${kills} kills of the server, ${2 * appendsAtOnce} equal appends`,
  );
  const isReal = written === count && (count < perRound || agents > count / 10);
  if (!isReal) console.log('FAILED: too few events occurred');
  return failures + left.length + (isReal ? 0 : 1);
}

/** Several processes append the same line to one note at the same time; false unless every confirmed append is in the note. */
async function equalAppends(vault: string, place: string[], name: string): Promise<boolean> {
  const [file, line] = [join(vault, 'bucket', `${name}.md`), 'the same line'];
  writeFileSync(file, '# Note\n');
  const codes = await Promise.all(
    Array.from({ length: appendsAtOnce }, async () => {
      const child = execFile(process.execPath, [program, 'append', `bucket/${name}.md`, ...place]);
      child.stdin?.end(line);
      const [code] = (await once(child, 'close')) as [number];
      return code;
    }),
  );
  const [confirmed, found] = [codes.filter((code) => code === 0).length, countIn(file, line)];
  if (found !== confirmed)
    console.log(`FAILED ${file}: ${confirmed} appends were confirmed, ${found} are in the note`);
  return found === confirmed && confirmed > 0;
}

function countIn(file: string, line: string): number {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((each) => each === line).length;
}

function jobOf(vault: string, number: number): Job {
  const kind = (['appending', 'slow', 'returning'] as const)[number % 3] ?? 'slow';
  const count = kind === 'slow' ? 2 : 3;
  return {
    file: join(vault, 'bucket', `note-${number}.md`),
    kind,
    lines: Array.from({ length: count }, (_, index) => `line ${index + 1} of program ${number}`),
    delay: (number * 7919) % 1_500,
    agent:
      number % 4 === 0
        ? { line: `an agent beside program ${number}`, position: number % 8 === 0 ? 'top' : 'bottom' }
        : null,
  };
}

/** Changes the notes of these jobs with an agent's tool, and returns the confirmed ones. */
async function changeAll(jobs: readonly Job[], place: string[]): Promise<Set<string>> {
  const changed = jobs.filter(({ agent }) => agent !== null);
  const calls = changed.map(({ file, agent }) => ({
    tool: 'append',
    input: { path: file.slice(file.indexOf('bucket/')), content: agent?.line, position: agent?.position },
  }));
  const child = execFile(process.execPath, [program, 'call', '--batch', '-', ...place]);
  let printed = '';
  child.stdout?.on('data', (data) => (printed += String(data)));
  child.stdin?.end(`${calls.map((each) => JSON.stringify(each)).join('\n')}\n`);
  await once(child, 'close');
  const answers = printed.trim().split('\n');
  return new Set(
    changed.flatMap(({ file }, index) => (answers[index]?.includes('"ok":true') === true ? [file] : [])),
  );
}

function missingIn({ file, lines, agent }: Job, made: ReadonlySet<string>): string[] {
  const text = readFileSync(file, 'utf8').split('\n');
  const wanted = made.has(file) && agent !== null ? [...lines, agent.line] : lines;
  return wanted.filter((line) => text.filter((each) => each === line).length !== 1);
}
