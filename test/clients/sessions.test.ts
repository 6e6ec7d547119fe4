import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../scripted-model/server.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { findInstalled } from './installed.ts';
import { startResponsesModel } from './responses-model.ts';

const installed = findInstalled();
if ('missing' in installed) console.log(`skipped: ${installed.missing}`);

const program = resolve('src/cli/main.ts');

/** A person with a vault, a linked folder and both clients. */
function newPerson() {
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
  /** Runs a client to its end; gives what it printed. */
  const run = (command: string, args: string[], more: Record<string, string>): Promise<string> =>
    new Promise((done) => {
      const child = spawn(command, args, {
        cwd: folder,
        env: { ...env, ...more },
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
    'projects/startup-x/tasks.md': '# Mend the import\nstatus: open | prio: high\n',
  });
  spawnSync('git', ['init', '-q', '.'], { cwd: folder });
  spawnSync('git', ['remote', 'add', 'origin', 'https://github.com/Owner/Startup-X.git'], { cwd: folder });
  keepsake('link', 'startup-x', '--vault', vault);
  return { vault, folder, keepsake, run };
}

const hasBrief = ({ rawBody }: { rawBody: string }): boolean => rawBody.includes('Keepsake is the memory');

describe.skipIf('missing' in installed)('a session', { timeout: 300_000 }, () => {
  it('of Claude Code begins with the brief and has the tools of the plugin, until it is disconnected', async () => {
    const { vault, keepsake, run } = newPerson();
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    model.respond(() => ({ text: 'Understood.' }));
    const variables = { ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: 'sk-test' };
    keepsake('connect', 'claude-code', '--write', '--vault', vault);
    // On a busy machine a hook may run out of its time, and then says nothing.
    for (let attempt = 0; attempt < 5 && !model.requests.some(hasBrief); attempt += 1)
      expect(await run('claude', ['-p', 'What is open?'], variables)).toContain('exit 0');
    const first = model.requests.find(hasBrief);
    expect(first?.rawBody).toContain(
      'This folder belongs to the project startup-x (github.com/owner/startup-x).',
    );
    expect(first?.rawBody).toContain('3  | The import of invoices is the open part.');
    expect(await run('claude', ['mcp', 'list'], variables)).toMatch(/keepsake.*Connected/);
    expect(await run('claude', ['plugin', 'list'], variables)).toContain('keepsake@keepsake');
    // What was said is in the vault of the next session, also without a model here.
    keepsake('config', 'capture', 'linked', '--unattended');
    const said = `We decided on SQLite, as it needs no server. ${'There is more to say about it. '.repeat(20)}`;
    let notes: string[] = [];
    for (let attempt = 0; attempt < 5 && notes.length === 0; attempt += 1) {
      expect(await run('claude', ['-p', said], variables)).toContain('exit 0');
      keepsake('capture', 'drain', '--vault', vault);
      notes = globSync(join(vault, 'projects/startup-x/bucket/sessions/*.md'));
    }
    expect(notes.map((note) => readFileSync(note, 'utf8')).join('\n')).toContain('> We decided on SQLite');
    expect(keepsake('find', 'SQLite server', '--vault', vault)).toContain('bucket/sessions/');
    keepsake('disconnect', 'claude-code');
    expect(await run('claude', ['plugin', 'list'], variables)).not.toContain('keepsake@keepsake');
  });

  it('of Codex begins with the brief, once its hooks are trusted', async () => {
    const { vault, keepsake, run } = newPerson();
    const model = await startResponsesModel('Understood.');
    onTestFinished(() => model.close());
    keepsake('connect', 'codex', '--write', '--vault', vault);
    const provider = `model_providers.scripted={name="scripted",base_url="${model.baseUrl}",wire_api="responses",env_key="SCRIPTED_KEY"}`;
    const settings = ['-c', 'model_provider="scripted"', '-c', 'model="scripted"', '-c', provider];
    const session = ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', ...settings];
    for (let attempt = 0; attempt < 5 && !model.bodies.some((rawBody) => hasBrief({ rawBody })); attempt += 1)
      expect(await run('codex', [...session, 'What is open?'], { SCRIPTED_KEY: 'x' })).toContain('exit 0');
    expect(model.bodies.join('\n')).toContain('3  | The import of invoices is the open part.');
    keepsake('disconnect', 'codex');
    expect(await run('codex', ['plugin', 'list'], {})).not.toMatch(/keepsake@keepsake.*enabled/);
  });
});
