import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The environment for our programs, without the user's variables, and with a shared compile cache. */
export const processVariables = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'keepsake-compile-cache'),
};

/** The command line program: from the sources, or from the build under test, which starts faster. */
export const program = resolve(process.env['TESTED_PROGRAM'] ?? 'packages/vault/src/cli/main.ts');

/** The program of the service. */
export const serviceProgram = program.replace('packages/vault', 'packages/service');
