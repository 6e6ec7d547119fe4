import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { processVariables } from '../process-variables.ts';

/** The built program, as users run it. */
export const program = resolve('packages/vault/dist/cli/main.js');
export const serviceProgram = program.replace('packages/vault', 'packages/service');

/** Runs a command that must succeed, and returns its output. */
export function run(args: string[], env: NodeJS.ProcessEnv = processVariables): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(`keepsake ${args[0]} exited with ${String(status)}: ${stderr}`);
  return stdout;
}

/** Creates a vault and its state below a new folder, and returns the options that select them. */
export function makePlace(name: string): { root: string; vault: string; state: string; place: string[] } {
  const root = mkdtempSync(join(tmpdir(), `keepsake-${name}-`));
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  run(['init', vault, '--state', state]);
  return { root, vault, state, place: ['--vault', vault, '--state', state] };
}

/** Creates the notes that a campaign changes. */
export function layOutNotes(vault: string, count: number): void {
  for (let note = 0; note < count; note += 1)
    writeFileSync(join(vault, `note-${note}.md`), `# Note ${note}\n`);
}

type TokenOptions = { name?: string; scope?: string; env?: NodeJS.ProcessEnv };

export function createToken(
  place: string[],
  { name = 'campaign', scope = 'write', env = processVariables }: TokenOptions = {},
): string {
  return run(['token', 'create', name, '--scope', scope, ...place], env).split('\n')[0] ?? '';
}

/** A running server, its URL, and the link with which the user signs in. */
export type Service = { child: ChildProcess; url: string; link: string };

/** Starts a server and waits until it responds. */
export async function serve(
  place: string[],
  env: NodeJS.ProcessEnv = processVariables,
  port = '0',
): Promise<Service> {
  const child = spawn(process.execPath, [program, 'serve', '--port', port, ...place], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((ready, fail) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, link, url] = /open (\S+)\nMCP at (\S+)\/mcp\n/.exec(said) ?? [];
      if (link !== undefined && url !== undefined) ready({ child, url, link });
    });
    child.once('close', () => fail(new Error(`the server did not start: ${said}`)));
  });
}

/** Ends a server that may have ended already. */
export async function end({ child }: Service, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((done) => child.once('close', done));
  child.kill(signal);
  await closed;
}

/** Waits until a node is ready, and returns its URL. */
export function nodeAddress(child: ChildProcess): Promise<string> {
  return new Promise((ready, fail) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /^node \S+ at (\S+)\n/m.exec(said)?.[1];
      if (address !== undefined) ready(address);
    });
    child.once('exit', () => fail(new Error(`the node did not start: ${said}`)));
  });
}

/** The CPU time of a process in seconds. */
export function workOf(pid: number): number {
  // The fields start after the program name, which may contain any characters. Times are in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The current usage of a process; memory in bytes. */
export function usedBy(pid: number): { memory: number; handles: number } {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { memory: Number(kilobytes) * 1_024, handles: readdirSync(`/proc/${pid}/fd`).length };
}

/** The processes that a process has started and that are still running. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number);
}
