import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { program } from './program.ts';

/** A workload for a vault: tool calls in one transaction, or a command. */
export type Scenario = { name: string; args: string[]; input: string };

const files: Record<string, string> = {
  'a.md': '---\ntype: note\n---\n\n# A\none\ntwo\nthree\n',
  'b.md': '# B\nold entry\n',
  'dir/c.md': 'c\n',
  'dir/sub/d.md': 'd\n',
  'gone/e.md': 'e\n',
  'gone/f.md': 'f\n',
};

const call = (tool: string, input: unknown): string => JSON.stringify({ tool, input });
const batch = (name: string, ...calls: string[]): Scenario => ({
  name,
  args: ['call', '--batch', '-'],
  input: `${calls.join('\n')}\n`,
});
const edit = [
  call('read', { paths: 'a.md' }),
  call('edit', { path: 'a.md', old: '6  | one', new: 'ONE\nmore' }),
];

export const scenarios: Scenario[] = [
  batch('write', call('write', { path: 'new/deep/n.md', content: '# N\nnew\n' })),
  batch('edit', ...edit),
  batch('append', call('append', { path: 'b.md', content: 'new entry', position: 'top' })),
  batch('move', call('move', { from: 'dir/', to: 'moved/' })),
  batch('delete', call('delete', { path: 'gone/' })),
  batch(
    'all at once',
    ...edit,
    call('write', { path: 'new/n.md', content: 'n\n' }),
    call('append', { path: 'b.md', content: 'new entry', position: 'bottom' }),
    call('move', { from: 'dir/c.md', to: 'moved/c.md' }),
    call('delete', { path: 'gone/' }),
  ),
  { name: 'undo', args: ['undo', 'FIRST'], input: '' },
];

/** A folder with a vault and its state; its history contains one earlier transaction. */
export class Place {
  readonly folder: string;
  readonly vault: string;
  readonly state: string;
  /** The id of the earlier transaction. */
  #first = '';

  constructor(parent = tmpdir()) {
    this.folder = mkdtempSync(join(parent, 'keepsake-faults-'));
    this.vault = join(this.folder, 'vault');
    this.state = join(this.folder, 'state');
  }

  layOut(): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.vault, path)), { recursive: true });
      writeFileSync(join(this.vault, path), text);
    }
    const first = [
      call('read', { paths: 'b.md' }),
      call('edit', { path: 'b.md', old: 'old entry', new: 'older entry' }),
    ].join('\n');
    this.run(['call', '--batch', '-'], first);
    const { changes } = JSON.parse(this.run(['history', '--json'])) as { changes: { id: string }[] };
    this.#first = changes[0]?.id ?? '';
  }

  copyFrom(other: Place): void {
    for (const part of ['vault', 'state'] as const) {
      rmSync(this[part], { recursive: true, force: true });
      cpSync(other[part], this[part], { recursive: true });
    }
    this.#first = other.#first;
  }

  argsOf({ args }: Scenario): string[] {
    const named = args.map((arg) => (arg === 'FIRST' ? this.#first : arg));
    return [program, ...named, '--vault', this.vault, '--state', this.state];
  }

  /** Opens the vault as every start does, which recovers from a crash. Returns what went wrong. */
  async reopen(): Promise<string[]> {
    try {
      const { vault, state } = this;
      const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
      try {
        await keepsake.catalogue.refresh();
      } finally {
        await keepsake.close();
      }
      return [];
    } catch (error) {
      return [`the vault cannot be reopened: ${String(error)}`];
    }
  }

  /** Runs a command that must succeed, and returns its output. */
  run(args: string[], input = ''): string {
    return execFileSync(process.execPath, [program, ...args, '--vault', this.vault, '--state', this.state], {
      input,
      encoding: 'utf8',
      timeout: 240_000,
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Every file with its text, without stamps and `tree.md`, which differ from run to run. */
export function snapshot(vault: string): string {
  const entries = readdirSync(vault, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'tree.md' && !entry.parentPath.includes('.keepsake'),
  );
  const texts = entries.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8')
      .replaceAll(/^(created|updated|tokens): .*\n/gm, '')
      .replace(/^---\n---\n\n?/, '');
    return `${file.slice(vault.length)}\n${text}`;
  });
  return texts.toSorted().join('\0');
}

/** Reports files that must never be left behind. */
export function leftovers(vault: string): string[] {
  const entries = readdirSync(vault, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return entries.flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    if (entry.name.startsWith('.keepsake-')) return [`temporary file left: ${file}`];
    return statSync(file).size === 0 ? [`empty file: ${file}`] : [];
  });
}

export type Ended = { out: string; err: string; code: number | null; signal: string | null };

/** The timeout of a command in milliseconds; none takes this long. */
const commandTimeoutMs = 120_000;

/** Runs a command to its end. After the timeout, kills it with all of its children and throws. */
export function execute(
  command: string,
  args: string[],
  input: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((done, fail) => {
    // In a separate process group, because strace does not forward signals, and the traced process would outlive it.
    const child = spawn(command, args, { env: { ...process.env, ...env }, detached: true });
    const ended: Ended = { out: '', err: '', code: null, signal: null };
    const stuck = setTimeout(() => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      fail(new Error(`timed out: ${command} ${args.join(' ')}`));
    }, commandTimeoutMs);
    child.stdout.on('data', (data) => (ended.out += String(data)));
    child.stderr.on('data', (data) => (ended.err += String(data)));
    child.on('error', fail);
    child.on('close', (code, signal) => {
      clearTimeout(stuck);
      done({ ...ended, code, signal });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Runs `work` for each of `tries`, two at a time, and returns the number of failures. `worker` is 0 or 1. */
export async function inParallel<Try>(
  tries: readonly Try[],
  work: (each: Try, worker: number) => Promise<string[]>,
): Promise<number> {
  let [next, failures] = [0, 0];
  const worker = async (number: number): Promise<void> => {
    while (next < tries.length) {
      const index = next;
      next += 1;
      const complaints = await work(tries[index] as Try, number).catch((error: unknown) => [String(error)]);
      if (complaints.length > 0) failures += 1;
      for (const complaint of complaints) console.log(`FAILED ${JSON.stringify(tries[index])}: ${complaint}`);
      if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${tries.length}`);
      else if ((index + 1) % 250 === 0) console.log(`${index + 1} of ${tries.length}`);
    }
  };
  await Promise.all([worker(0), worker(1)]);
  return failures;
}

/** A template, two places to work in, and the expected result of every scenario on a copy of the template. */
export type Survey = { template: Place; places: [Place, Place]; expected: Map<string, Expected> };

/** Runs every scenario once without faults to record its result; `each` runs one scenario and may do more. */
export async function surveyScenarios(
  each: (scenario: Scenario, place: Place, template: Place) => Promise<Expected>,
): Promise<Survey> {
  const template = new Place();
  template.layOut();
  const places: [Place, Place] = [new Place(), new Place()];
  const expected = new Map<string, Expected>();
  for (const scenario of scenarios) {
    places[0].copyFrom(template);
    expected.set(scenario.name, await each(scenario, places[0], template));
  }
  return { template, places, expected };
}

/** Why a campaign that needs strace cannot run here; null when it can. */
export function withoutStrace(): string | null {
  return spawnSync('strace', ['-V']).status === 0 ? null : 'strace is not installed';
}

/** The content of the vault before and after a scenario. */
export type Expected = { before: string; after: string };
