import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printSkip } from '../missing.ts';
import { program } from '../process-variables.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { findInstalled } from './installed.ts';

const installed = findInstalled();
if ('missing' in installed) printSkip(installed.missing);

describe.skipIf('missing' in installed)('a moved vault', { timeout: 120_000 }, () => {
  it('fails in Claude Code and Codex until it is reconnected', () => {
    if ('missing' in installed) throw new Error(installed.missing);
    const home = temporaryFolder();
    const [bin, vault, moved] = ['bin', 'vault', 'moved vault'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(bin);
    symlinkSync(installed.claude, join(bin, 'claude'));
    symlinkSync(installed.codex, join(bin, 'codex'));
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      HOME: home,
      PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    for (const name of ['XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'CLAUDECODE']) delete env[name];
    const run = (command: string, ...args: string[]): string => {
      const { stdout, stderr } = spawnSync(command, args, { cwd: home, env, encoding: 'utf8' });
      return stdout + stderr;
    };
    const keepsake = (...args: string[]): string => run(process.execPath, program, ...args);
    keepsake('init', vault);
    keepsake('connect', 'claude-code', '--write', '--vault', vault);
    keepsake('connect', 'codex', '--write', '--vault', vault);
    expect(run('claude', 'mcp', 'list')).toMatch(/keepsake: .*Connected/);
    expect(run('codex', 'mcp', 'list')).toContain(`--vault ${vault}`);
    renameSync(vault, moved);
    expect(run('claude', 'mcp', 'list')).toMatch(/keepsake: .*Failed to connect/);
    expect(keepsake('reconnect', moved)).toContain('Codex: plugin and hooks');
    expect(run('claude', 'mcp', 'list')).toMatch(/keepsake: .*moved vault.* - .*Connected/);
    expect(run('codex', 'mcp', 'list')).toContain(`--vault ${moved}`);
  });
});
