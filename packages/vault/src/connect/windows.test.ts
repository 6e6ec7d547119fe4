import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { readEnvironment } from '../app/index.ts';
import { toInvocation } from './command-line.ts';
import { findExecutable } from './find-executable.ts';
import { createStdioServer } from './index.ts';

describe('starting programs on Windows', () => {
  it('connects clients to Node.js itself, because they cannot start the script keepsake.cmd', () => {
    const vault = temporaryFolder();
    const options = { vault, isReadOnly: false, absoluteCommand: null, environment: readEnvironment({}) };
    expect(createStdioServer({ ...options, platform: 'linux' })).toMatchObject({ command: 'keepsake' });
    const server = createStdioServer({ ...options, platform: 'win32' });
    expect(server).toMatchObject({ kind: 'stdio', command: process.execPath });
    expect(server.kind === 'stdio' && server.args.slice(1)).toEqual(['mcp', '--vault', vault]);
  });

  it('finds programs by their extension, a program before a script', () => {
    const folder = temporaryFolder();
    layOut(folder, { 'codex.cmd': '', 'claude.exe': '', 'claude.cmd': '', plain: '' });
    const find = (name: string): string | null => findExecutable(name, `C:\\none;${folder}`, 'win32');
    expect(find('codex')).toBe(join(folder, 'codex.cmd'));
    expect(find('claude')).toBe(join(folder, 'claude.exe'));
    expect(find('plain')).toBeNull();
  });

  it('passes arguments to scripts through the command interpreter without interpreting them', () => {
    expect(toInvocation('C:\\p\\claude.exe', ['a b', '"'])).toEqual({
      program: 'C:\\p\\claude.exe',
      args: ['a b', '"'],
      isVerbatim: false,
    });
    const { program, args, isVerbatim } = toInvocation('C:\\a b\\codex.cmd', ['say "hi"', '50%', 'end\\']);
    expect([program, isVerbatim, ...args.slice(0, 3)]).toEqual(['cmd.exe', true, '/d', '/s', '/c']);
    expect(args[3]).toBe(
      String.raw`"C:\a^ b\codex.cmd ^^^"say^^^ \^^^"hi\^^^"^^^" ^^^"50^^^%^^^" ^^^"end\\^^^""`,
    );
  });

  it('shows no console window for any program that is started without a terminal', () => {
    const root = join(import.meta.dirname, '..');
    const calls = /\b(?:spawn|spawnSync|execFile|execFileSync|fork)\)?\(/g;
    const missing = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      if (!/from 'node:child_process'|import\('node:child_process'\)/.test(text)) return false;
      return (text.match(calls)?.length ?? 0) > (text.match(/windowsHide/g)?.length ?? 0);
    });
    // The editor of the user runs in their terminal.
    expect(missing).toEqual(['cli/edit-in-editor.ts']);
  });
});
