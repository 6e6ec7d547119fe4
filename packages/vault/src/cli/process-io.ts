import type { Io } from './io.ts';

/** The `Io` of the current process. */
export function processIo(): Io {
  return {
    stdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    variables: process.env,
    cwd: () => process.cwd(),
    script: process.argv[1] ?? '',
    signals: process,
    exit: (code) => process.exit(code),
  };
}
