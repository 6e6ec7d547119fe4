import { join } from 'node:path';
import { isSea } from 'node:sea';

/** Whether Keepsake runs as one file that contains Node.js and the program, instead of as an npm package. */
export function isSingleExecutable(): boolean {
  return isSea();
}

/** The folder in which the single executable unpacks its program: one subfolder per version. */
export function programsFolder(cacheHome: string): string {
  return join(cacheHome, 'program');
}

/**
 * The variable with the script that a child process of the single executable runs. It is a variable and not an argument,
 * so that a client that may run `keepsake` with any arguments cannot make it run a script.
 */
export const scriptVariable = 'KEEPSAKE_PROGRAM_SCRIPT';

/** A file in the folder of the package that imports another, with which the single executable loads its scripts. */
export const importScript = 'import.cjs';
