import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { launcherFile, renderLauncher, renewLauncher, writeLauncher } from './launcher.ts';

let home: string;
let dataHome: string;
/** The folder of a version manager with one folder per version of Node.js. */
let versions: string;

beforeEach(() => {
  home = temporaryFolder();
  dataHome = join(home, 'data of it’s');
  versions = join(home, '.nvm/versions/node');
});

/** A version of Node.js with Keepsake as a global package; returns the command that starts it. */
function install(version: string): string[] {
  const bin = join(versions, version, 'bin');
  const main = join(versions, version, 'lib/main.cjs');
  mkdirSync(bin, { recursive: true });
  mkdirSync(dirname(main));
  symlinkSync(process.execPath, join(bin, 'node'));
  writeFileSync(
    main,
    `#!/usr/bin/env node
if (process.argv[2] === '--version') console.log('${version}');
else console.log('${version}', process.argv.slice(2).join('|'), require('node:fs').readFileSync(0, 'utf8'));\n`,
  );
  chmodSync(main, 0o755);
  symlinkSync(main, join(bin, 'keepsake'));
  return [join(bin, 'node'), main];
}

const write = (program: string[], version = '1.0.0'): void =>
  writeLauncher({ dataHome, home, program, version });

function launch(args: string[], path = '/usr/bin:/bin'): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(launcherFile(dataHome), args, {
    env: { HOME: home, PATH: path },
    input: 'the input',
    encoding: 'utf8',
  });
  return { status, out: stdout.trim(), err: stderr.trim() };
}

describe('the launcher', () => {
  it('starts the Keepsake that wrote it, with arguments and input as they are', () => {
    write(install('v1'));
    expect(launch(['hook', 'auto', "it's a", '*'])).toEqual({
      status: 0,
      out: "v1 hook|auto|it's a|* the input",
      err: '',
    });
  });

  it('finds Keepsake in another version of Node.js after the first one was removed', () => {
    write(install('v1'));
    install('v2');
    rmSync(join(versions, 'v1'), { recursive: true });
    expect(launch(['hook', 'auto', 'prompt'])).toMatchObject({
      status: 0,
      out: 'v2 hook|auto|prompt the input',
    });
  });

  it('finds Keepsake, or Node.js for it, in the search path', () => {
    const elsewhere = join(home, 'bin');
    mkdirSync(elsewhere);
    const program = install('v1');
    write(program);
    rmSync(join(versions, 'v1/bin'), { recursive: true });
    symlinkSync(process.execPath, join(elsewhere, 'node'));
    expect(launch(['mcp'], `${elsewhere}:/usr/bin:/bin`)).toMatchObject({
      status: 0,
      out: 'v1 mcp the input',
    });
    rmSync(join(versions, 'v1'), { recursive: true });
    writeFileSync(join(elsewhere, 'keepsake'), '#!/bin/sh\necho found "$@"\n', { mode: 0o755 });
    expect(launch(['mcp'], `${elsewhere}:/usr/bin:/bin`)).toMatchObject({ status: 0, out: 'found mcp' });
  });

  it('never fails as a hook, and says once per session that Keepsake is missing', () => {
    write(['/nowhere/node', '/nowhere/main.js']);
    expect(launch(['hook', 'auto', 'prompt'])).toEqual({ status: 0, out: '', err: '' });
    const { status, out } = launch(['hook', 'auto', 'session-start']);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual({ systemMessage: expect.stringContaining('Keepsake does not start') });
    expect(launch(['mcp'])).toMatchObject({ status: 127, err: expect.stringContaining('install it again') });
  });

  it('is renewed by the first Keepsake that runs after an update, and not by an older one', () => {
    const [first, second] = [install('v1'), install('v2')];
    const renew = (program: string[], version: string): void =>
      renewLauncher(dataHome, () => ({ home, program, version }));
    renew(first, '1.0.0');
    expect(existsSync(launcherFile(dataHome))).toBe(false);
    write(first, '1.2.0');
    renew(second, '1.2.0');
    renew(second, '1.1.9');
    expect(launch(['x']).out).toContain('v1 x');
    renew(second, '1.10.0');
    expect(launch(['x']).out).toContain('v2 x');
    rmSync(join(versions, 'v2'), { recursive: true });
    renew(first, '1.1.0');
    expect(launch(['x']).out).toContain('v1 x');
  });

  it('starts the single executable', () => {
    const program = join(home, 'keepsake');
    writeFileSync(program, '#!/bin/sh\necho executable "$@"\n', { mode: 0o755 });
    write([program]);
    expect(launch(['mcp']).out).toBe('executable mcp');
  });
});

describe('the launcher on Windows', () => {
  it('is a batch file that contains no name of the user, which could be read in another encoding', () => {
    const windowsHome = String.raw`C:\Users\Zoé`;
    const text = renderLauncher({
      dataHome: '',
      home: windowsHome,
      program: [
        String.raw`C:\Program Files\nodejs\node.exe`,
        String.raw`C:\Users\Zoé\AppData\Roaming\npm\node_modules\keepsake-vault\dist\cli\main.js`,
      ],
      version: '1.0.0',
      platform: 'win32',
    });
    const main = String.raw`"%USERPROFILE%\AppData\Roaming\npm\node_modules\keepsake-vault\dist\cli\main.js"`;
    expect(text).toContain(
      `if exist "C:\\Program Files\\nodejs\\node.exe" if exist ${main} goto recorded\r\n`,
    );
    expect(text).toContain(`:recorded\r\n"C:\\Program Files\\nodejs\\node.exe" ${main} %*\r\n`);
    const lines = text.split('\r\n').filter((line) => !line.startsWith('rem'));
    expect(lines.join('')).not.toContain('Zoé');
  });
});
