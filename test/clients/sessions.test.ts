import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isBusyMachine } from '../busy-machine.ts';
import { printSkip } from '../missing.ts';
import { program } from '../process-variables.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { Call } from '../scripted-model/server.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { findInstalled } from './installed.ts';
import { startResponsesModel } from './responses-model.ts';
import { describeTimes, watchHooks } from './watch-hooks.ts';
import type { HookTime } from './watch-hooks.ts';

const installed = findInstalled();
if ('missing' in installed) printSkip(installed.missing);

/** A user with a vault, a linked folder and both clients. */
function createUser() {
  if ('missing' in installed) throw new Error(installed.missing);
  const home = temporaryFolder();
  const [bin, vault, folder] = ['bin', 'vault', 'code'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [bin, folder]) mkdirSync(each);
  symlinkSync(installed.claude, join(bin, 'claude'));
  symlinkSync(installed.codex, join(bin, 'codex'));
  const env = {
    ...process.env,
    HOME: home,
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  for (const name of ['XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'CLAUDECODE'])
    delete (env as NodeJS.ProcessEnv)[name];
  const keepsake = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect({ args, status, stderr: status === 0 ? '' : stderr }).toEqual({ args, status: 0, stderr: '' });
    return stdout;
  };
  const { variables, times } = watchHooks(home);
  /** Runs a client to completion and returns its output. */
  const run = (command: string, args: string[], more: Record<string, string>): Promise<string> =>
    new Promise((done) => {
      const child = spawn(command, args, {
        cwd: folder,
        env: { ...env, ...variables, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      child.once('close', (code) => done(`${printed}\nexit ${code}`));
    });
  keepsake('init', vault);
  layOut(vault, {
    'projects/startup-x/state.md': '# State\n\nThe import of invoices is the open part.\n',
    'projects/startup-x/tasks.md': '# Fix the import\nstatus: open | prio: high\n',
  });
  spawnSync('git', ['init', '-q', '.'], { cwd: folder });
  spawnSync('git', ['remote', 'add', 'origin', 'https://github.com/Owner/Startup-X.git'], { cwd: folder });
  keepsake('link', 'startup-x', '--vault', vault);
  /** Makes the state folder unwritable for hooks and removes the vault. Returns a function that restores both. */
  const breakHooks = (): (() => void) => {
    const state = join(home, '.local/state/keepsake');
    for (const each of [state, vault]) renameSync(each, `${each}-away`);
    writeFileSync(state, '');
    return () => {
      rmSync(state);
      for (const each of [state, vault]) renameSync(`${each}-away`, each);
    };
  };
  return { vault, folder, keepsake, run, times, breakHooks };
}

/**
 * A client stops a hook that takes longer and tells the user. On a busy machine only CPU time is a fair measure of the
 * hook.
 */
function expectWithinBudget(client: string, times: HookTime[]): void {
  console.log(`hooks of ${client}${isBusyMachine() ? ', on a busy machine' : ''}:\n${describeTimes(times)}`);
  expect(times.length).toBeGreaterThan(5);
  expect(times.filter(({ processor, budget }) => processor > budget)).toEqual([]);
  if (!isBusyMachine())
    expect(times.filter(({ took, budget }) => took === null || took > budget)).toEqual([]);
}

function notesOf(vault: string): string[] {
  return globSync(join(vault, 'projects/startup-x/bucket/sessions/*.md')).map((note) =>
    readFileSync(note, 'utf8'),
  );
}

/** What the user decides in two sessions. Both are short of the length at which other sessions are kept. */
const decisions = [
  'We decided to use SQLite for the orders, as it needs no server. Next step is the migration, by Friday 27 November.',
  'For payments we choose Stripe. The webhook comes first; ask Paul about the invoice numbers by 3 December.',
];

/**
 * Checks that two sessions are recorded in the vault automatically, found by search, and that the request of the next
 * session contains what was decided in both. On a busy machine a hook may time out and print nothing, so it is retried.
 */
async function remembers(
  run: (args: string[]) => Promise<string>,
  {
    vault,
    keepsake,
    first,
    bodies,
  }: {
    vault: string;
    keepsake: (...args: string[]) => string;
    first: (text: string) => string[];
    bodies: () => string[];
  },
): Promise<void> {
  keepsake('config', 'capture', 'linked', '--unattended');
  for (const said of decisions) {
    const isKept = (): boolean => notesOf(vault).some((note) => note.includes(`> ${said}`));
    for (let attempt = 0; attempt < 5 && !isKept(); attempt += 1) {
      const printed = await run(first(said));
      expect(printed).toContain('exit 0');
      expect(printed).not.toMatch(/hook.*(error|failed|cancelled)/i);
      for (let wait = 0; wait < 300 && !isKept(); wait += 1) await sleep(100);
    }
    expect(notesOf(vault).join('\n')).toContain(`> ${said}`);
  }
  expect(keepsake('find', 'SQLite server', '--vault', vault)).toContain('bucket/sessions/');
  const before = bodies().length;
  const briefed = (): string =>
    bodies()
      .slice(before)
      .find((body) => decisions.every((said) => body.includes(`> ${said}`))) ?? '';
  for (let attempt = 0; attempt < 5 && briefed() === ''; attempt += 1)
    expect(await run(first('What was decided?'))).toContain('exit 0');
  expect(briefed()).toContain('/bucket/sessions/');
  const { hooks } = JSON.parse(keepsake('capture', 'status', '--json', '--vault', vault)) as {
    hooks: { event: string; problem: string | null }[];
  };
  expect(hooks.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(hooks.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['session-start', 'prompt', 'turn', 'session-end']),
  );
}

const hasBrief = ({ rawBody }: { rawBody: string }): boolean =>
  rawBody.includes("Keepsake is the user's memory");

describe.skipIf('missing' in installed)('a session', { timeout: 300_000 }, () => {
  it('in Claude Code starts with the brief and has the plugin tools, until Claude Code is disconnected', async () => {
    const { vault, keepsake, run, times, breakHooks } = createUser();
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    model.respond(() => ({ text: 'Understood.' }));
    const variables = { ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: 'sk-test' };
    keepsake('connect', 'claude-code', '--write', '--vault', vault);
    // On a busy machine a hook may time out and print nothing.
    for (let attempt = 0; attempt < 5 && !model.requests.some(hasBrief); attempt += 1)
      expect(await run('claude', ['-p', 'What is open?'], variables)).toContain('exit 0');
    const first = model.requests.find(hasBrief);
    expect(first?.rawBody).toContain(
      'This folder belongs to the project startup-x (github.com/owner/startup-x).',
    );
    expect(first?.rawBody).toContain('3  | The import of invoices is the open part.');
    expect(await run('claude', ['mcp', 'list'], variables)).toMatch(/keepsake.*Connected/);
    expect(await run('claude', ['plugin', 'list'], variables)).toContain('keepsake@keepsake');
    await remembers((args) => run('claude', args, variables), {
      vault,
      keepsake,
      first: (text) => ['-p', text],
      bodies: () => model.requests.map(({ rawBody }) => rawBody),
    });
    // The hooks around a compaction are called, too, and the client's summary is kept.
    model.respond(() => ({
      text: `# Summary\nIt was long.\n## Worth remembering\n- The port is 4319.\n${'- This is so, too.\n'.repeat(30)}`,
    }));
    const compacted = (): boolean => notesOf(vault).some((note) => note.includes('The port is 4319'));
    for (let attempt = 0; attempt < 5 && !compacted(); attempt += 1) {
      expect(await run('claude', ['-p', '--continue', '/compact'], variables)).toContain('exit 0');
      keepsake('capture', 'drain', '--vault', vault);
    }
    expect(notesOf(vault).join('\n')).toContain('The port is 4319');
    expectWithinBudget('Claude Code', times());
    model.respond(() => ({ text: 'Understood.' }));
    const hint = breakHooks();
    expect(await run('claude', ['-p', 'What is open?'], variables)).toBe('Understood.\n\nexit 0');
    hint();
    keepsake('disconnect', 'claude-code');
    expect(await run('claude', ['plugin', 'list'], variables)).not.toContain('keepsake@keepsake');
  });

  it('in Claude Code keeps its own memory in the project, and loads it in the next session', async () => {
    const { vault, folder, keepsake, run } = createUser();
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    keepsake('connect', 'claude-code', '--memory', '--write', '--vault', vault);
    expect(readFileSync(join(folder, '.claude/settings.local.json'), 'utf8')).toContain(vault);
    const memory = join(vault, 'projects/startup-x/bucket/claude-memory');
    const note =
      '---\nname: prefers-sqlite\ndescription: database\ntype: feedback\n---\n\nThe user prefers SQLite.\n';
    const index = '- [prefers SQLite](prefers-sqlite.md): the database of every project\n';
    const write = (name: string, content: string): Call => ({
      tool: 'Write',
      input: { file_path: join(memory, name), content },
    });
    const told: string[] = [];
    model.respond(({ rawBody }) => {
      if (told.length > 0 || !rawBody.includes('"name":"Write"')) return { text: 'Understood.' };
      told.push(rawBody);
      return { calls: [write('prefers-sqlite.md', note), write('MEMORY.md', index)] };
    });
    const variables = { ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: 'sk-test' };
    expect(await run('claude', ['-p', 'Remember that I prefer SQLite.'], variables)).toContain('exit 0');
    expect(told[0]).toContain(memory);
    expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).toBe(index);
    const written = readFileSync(join(memory, 'prefers-sqlite.md'), 'utf8');
    expect(written).toContain('The user prefers SQLite.');
    expect(keepsake('find', 'prefers SQLite', '--vault', vault)).toContain('claude-memory/prefers-sqlite.md');
    expect(keepsake('history', '--vault', vault)).toContain('claude-memory');
    expect(readFileSync(join(memory, 'prefers-sqlite.md'), 'utf8')).toBe(written);
    model.requests.length = 0;
    expect(await run('claude', ['-p', 'Hello'], variables)).toContain('exit 0');
    expect(model.requests.some(({ rawBody }) => rawBody.includes('the database of every project'))).toBe(
      true,
    );
  });

  it('in Codex starts with the brief once the hooks are trusted', async () => {
    const { vault, keepsake, run, times, breakHooks } = createUser();
    const model = await startResponsesModel('Understood.');
    onTestFinished(() => model.close());
    keepsake('connect', 'codex', '--write', '--vault', vault);
    const provider = `model_providers.scripted={name="scripted",base_url="${model.baseUrl}",wire_api="responses",env_key="SCRIPTED_KEY"}`;
    const settings = ['-c', 'model_provider="scripted"', '-c', 'model="scripted"', '-c', provider];
    const session = ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', ...settings];
    for (let attempt = 0; attempt < 5 && !model.bodies.some((rawBody) => hasBrief({ rawBody })); attempt += 1)
      expect(await run('codex', [...session, 'What is open?'], { SCRIPTED_KEY: 'x' })).toContain('exit 0');
    expect(model.bodies.join('\n')).toContain('3  | The import of invoices is the open part.');
    await remembers((args) => run('codex', args, { SCRIPTED_KEY: 'x' }), {
      vault,
      keepsake,
      first: (text) => [...session, text],
      bodies: () => model.bodies,
    });
    // Codex is told that its limit is reached, and compacts before it continues.
    const resumed = [
      'exec',
      'resume',
      '--last',
      ...session.slice(1),
      '-c',
      'model_auto_compact_token_limit=1000',
    ];
    const isKept = (): boolean => notesOf(vault).some((note) => note.includes('> The port is 4319'));
    const said = `The port is 4319. ${'There is more to say about it. '.repeat(20)}`;
    expect(await run('codex', [...session, said], { SCRIPTED_KEY: 'x' })).toContain('exit 0');
    const printed = await run('codex', [...resumed, 'What is next?'], { SCRIPTED_KEY: 'x' });
    expect(printed).toContain('context compacted');
    expect(printed).not.toMatch(/hook: \w*Compact Failed/);
    expect(model.bodies.join('\n')).toContain('CONTEXT CHECKPOINT COMPACTION');
    expect(times().map(({ event }) => event)).toEqual(
      expect.arrayContaining(['pre-compact', 'post-compact']),
    );
    for (let wait = 0; wait < 300 && !isKept(); wait += 1) await sleep(100);
    expect(notesOf(vault).join('\n')).toContain('> The port is 4319');
    expectWithinBudget('Codex', times());
    const hint = breakHooks();
    const broken = await run('codex', [...session, 'What is open?'], { SCRIPTED_KEY: 'x' });
    expect(broken).toMatch(/Understood\.\s+exit 0$/);
    expect(broken).not.toMatch(/hook: \w+ Failed|^ +at /m);
    hint();
    keepsake('disconnect', 'codex');
    expect(await run('codex', ['plugin', 'list'], {})).not.toMatch(/keepsake@keepsake.*enabled/);
  });
});
