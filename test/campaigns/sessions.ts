import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stableId, store } from '../import/session-transcripts.ts';
import type { StoredSession } from '../import/session-transcripts.ts';
import { layOut } from '../temporary-vault.ts';
import { program } from './program.ts';

type Ended = { code: number | null; isKilled: boolean; out: string; seconds: number; peakMegabytes: number };

const maxPeakMegabytes = 500;
const start = Date.parse('2026-01-05T09:00:00');

/**
 * Imports generated transcripts of all clients, half a megabyte each. Checks the peak memory, that a second import changes nothing,
 * that live capture continues an imported note, and that an import that is killed repeatedly ends with the same notes.
 */
export async function sessionsCampaign(
  count: number,
  kills = Math.max(2, Math.round(count / 250)),
): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-sessions-'));
  const home = join(root, 'home');
  const complaints: string[] = [];
  try {
    const sessions = layOutTranscripts(home, count);
    const megabytes = countBytes(home) / 1e6;
    const whole = await createPlace(root, home, 'whole');
    const planned = await whole.run(['import', 'sessions', '--dry-run']);
    const imported = await whole.run(['import', 'sessions', '--yes', '--json']);
    const { result } = JSON.parse(imported.out) as { result: { notes: number; failed: unknown[] } };
    console.log(
      `sessions: ${count} transcripts, ${megabytes.toFixed(0)} MB; planned in ${planned.seconds.toFixed(1)} s, imported in ${imported.seconds.toFixed(1)} s, peak ${imported.peakMegabytes.toFixed(0)} MB`,
    );
    if (result.notes !== count || result.failed.length > 0)
      complaints.push(`${result.notes} of ${count} sessions were imported, ${result.failed.length} failed`);
    for (const { peakMegabytes } of [planned, imported])
      if (peakMegabytes > maxPeakMegabytes) complaints.push(`the peak was ${peakMegabytes.toFixed(0)} MB`);
    const expected = whole.notes();
    if (expected.size !== count) complaints.push(`${expected.size} notes, expected ${count}`);

    const again = await whole.run(['import', 'sessions', '--yes']);
    console.log(
      `sessions: imported again in ${again.seconds.toFixed(1)} s, peak ${again.peakMegabytes.toFixed(0)} MB`,
    );
    if (!again.out.includes('Nothing new to import.')) complaints.push(`imported again: ${again.out}`);
    complaints.push(...differences(expected, whole.notes()).map((each) => `second import: ${each}`));

    const killed = await createPlace(root, home, 'killed');
    let killCount = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const there = killed.list().length;
      const isDue = (): boolean => killed.list().length > there + (count - there) * 0.15;
      if ((await killed.run(['import', 'sessions', '--yes'], isDue)).isKilled) killCount += 1;
    }
    const last = await killed.run(['import', 'sessions', '--yes']);
    if (last.code !== 0) complaints.push(`the import after the kills exited with ${last.code}`);
    if (killCount === 0) complaints.push('none of the kills occurred');
    console.log(`sessions: killed ${killCount} times`);
    complaints.push(...differences(expected, killed.notes()).map((each) => `after kills: ${each}`));

    complaints.push(...(await continueLive(whole, sessions)));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  for (const complaint of complaints.slice(0, 20)) console.log(`FAILED: ${complaint}`);
  return complaints.length;
}

/** Continues one session of Claude Code and one of Codex with the hooks of these clients. */
async function continueLive(place: Place, sessions: readonly StoredSession[]): Promise<string[]> {
  const before = place.notes();
  const words = 'This was said after the import. '.repeat(20);
  for (const [index, client] of ['claude-code', 'codex'].entries()) {
    const { id: session_id, folder: cwd } = sessions[index] ?? { id: '', folder: '' };
    const common = { session_id, cwd, prompt_id: 'later' };
    await place.run(['hook', client, 'prompt'], undefined, {
      ...common,
      prompt: `Later, ${client}. ${words}`,
    });
    await place.run(['hook', client, 'turn'], undefined, { ...common, last_assistant_message: 'Recorded.' });
    await place.run(['hook', client, 'session-end'], undefined, { ...common, reason: 'other' });
  }
  const changed = (): string[] =>
    [...place.notes()].filter(([path, digest]) => before.get(path) !== digest).map(([path]) => path);
  // The hook at the end of a session also starts a drain; either one may add the session.
  for (let attempt = 0; attempt < 5 && changed().length < 2; attempt += 1)
    await place.run(['capture', 'drain']);
  const complaints = place.notes().size === before.size ? [] : ['live capture created another note'];
  const texts = changed().map((path) => readFileSync(join(place.vault, path), 'utf8'));
  if (texts.length !== 2 || !texts.every((text) => text.includes('> Later, ') && text.includes('Question 0')))
    complaints.push(`live capture changed ${texts.length} notes, expected 2 with both parts`);
  const again = await place.run(['import', 'sessions', '--yes']);
  if (!again.out.includes('Nothing new to import.')) complaints.push(`after live capture: ${again.out}`);
  return complaints;
}

const clients = [store.claudeCode, store.codex, store.gemini, store.opencode];

function layOutTranscripts(home: string, count: number): StoredSession[] {
  const sessions = Array.from({ length: count }, (_, index): StoredSession => {
    const turns = Array.from({ length: 10 }, (__, turn) => ({
      prompt: `Question ${turn} of session ${index}. ${'What do we know about this? '.repeat(4 + (index % 7))}`,
      answer: `Answer ${turn} of session ${index}. ${'It is as follows, with a reason. '.repeat(10 + (index % 50))}`,
    }));
    return {
      id: stableId(`session ${index}`),
      folder: `/code/p${index % 20}`,
      at: start + index * 2 * 3_600_000,
      turns,
      title: `Session number ${index}`,
      noise: 62_000,
    };
  });
  for (const [index, session] of sessions.entries()) clients[index % clients.length]?.(home, session);
  const links = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`/code/p${index}`, `p${index}`]),
  );
  const config = join(home, '.config', 'keepsake');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'links.json'), JSON.stringify(links));
  return sessions;
}

function countBytes(folder: string): number {
  return globSync(join(folder, '.*/**/*.{jsonl,db}')).reduce((sum, file) => sum + statSync(file).size, 0);
}

type Place = {
  vault: string;
  /** Runs a command; kills it as soon as `isDue` says so. */
  run: (args: string[], isDue?: () => boolean, input?: object) => Promise<Ended>;
  /** The files of all session notes. */
  list: () => string[];
  /** The digest of each session note, by path. */
  notes: () => Map<string, string>;
};

async function createPlace(root: string, home: string, name: string): Promise<Place> {
  const vault = join(root, name);
  const env = { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: join(root, `${name}-state`) };
  const run: Place['run'] = (args, isDue, input) =>
    execute(args[0] === 'hook' || args[0] === 'init' ? args : [...args, '--vault', vault], env, isDue, input);
  await run(['init', vault]);
  layOut(
    vault,
    Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`projects/p${index}/state.md`, '# State\n']),
    ),
  );
  const config = join(home, '.config', 'keepsake');
  const links = JSON.parse(readFileSync(join(config, 'links.json'), 'utf8')) as object;
  const list = (): string[] => globSync(join(vault, '{bucket,projects/*/bucket}/sessions/*.md'));
  return {
    vault,
    list,
    run: async (...args) => {
      writeFileSync(join(config, 'sessions.json'), JSON.stringify({ vault, capture: 'everywhere', links }));
      return run(...args);
    },
    notes: () =>
      new Map(
        list().map((file) => [
          relative(vault, file),
          createHash('sha256').update(readFileSync(file)).digest('hex'),
        ]),
      ),
  };
}

async function execute(
  args: string[],
  env: NodeJS.ProcessEnv,
  isDue?: () => boolean,
  input?: object,
): Promise<Ended> {
  const started = performance.now();
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  let [out, peakMegabytes, isKilled] = ['', 0, false];
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stdin.end(input === undefined ? '' : JSON.stringify(input));
  const ended = new Promise<number | null>((done) => void child.on('close', done));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  while (isRunning()) {
    peakMegabytes = Math.max(peakMegabytes, readPeak(child.pid));
    if (isDue?.() === true) isKilled = child.kill('SIGKILL');
    await Promise.race([ended, sleep(50)]);
  }
  return { code: await ended, isKilled, out, seconds: (performance.now() - started) / 1000, peakMegabytes };
}

/** The peak resident memory of a process so far; 0 once it has ended. */
function readPeak(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

function differences(expected: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...expected.keys(), ...found.keys()]);
  return [...paths].filter((path) => expected.get(path) !== found.get(path)).map((path) => `${path} differs`);
}
