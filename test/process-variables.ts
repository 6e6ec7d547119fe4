import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What a program of ours needs around it, and nothing of the person's; compiled once, not anew by each of a thousand. */
export const processVariables = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'keepsake-compile-cache'),
};

/** The command line: of the sources, or of the build where there is one to be tested, which starts faster. */
export const program = resolve(process.env['TESTED_PROGRAM'] ?? 'packages/vault/src/cli/main.ts');

/** The same of the service of many vaults. */
export const serviceProgram = program.replace('packages/vault', 'packages/service');
