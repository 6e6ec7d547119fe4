import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isSingleExecutable, scriptVariable } from './single-executable.ts';

type Started = { isExecutable: boolean; program: string };

/** How this process was started; a parameter, so that tests need no executable. */
const thisProcess = (): Started => ({ isExecutable: isSingleExecutable(), program: process.execPath });

/**
 * The command that starts Keepsake from any folder, without arguments, to be stored in configuration files. The single
 * executable is named as it is found in the search path: that name stays when a package manager installs the next version.
 */
export function ownCommand(script: string, searchPath: string, started = thisProcess()): string[] {
  const { isExecutable, program } = started;
  if (!isExecutable) return [program, realpathSync(script)];
  const name = process.platform === 'win32' ? 'keepsake.exe' : 'keepsake';
  const found = searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => realPath(file) === realPath(program));
  return [found ?? program];
}

/**
 * How to start a script of Keepsake as a process with flags of Node.js. The single executable takes neither as arguments,
 * so the child needs these variables in its environment, which it removes when it starts.
 */
export function scriptCommand(
  file: string,
  flags: readonly string[] = [],
  started = thisProcess(),
): { command: [string, ...string[]]; env: NodeJS.ProcessEnv } {
  const { isExecutable, program } = started;
  if (!isExecutable) return { command: [program, ...flags, file], env: {} };
  const options = flags.map((flag) => `"${flag.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(' ');
  return {
    command: [program],
    env: { [scriptVariable]: file, ...(options !== '' && { NODE_OPTIONS: options }) },
  };
}

function realPath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
