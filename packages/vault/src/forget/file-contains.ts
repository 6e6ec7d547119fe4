import { createReadStream, existsSync } from 'node:fs';
import { runProgram } from '../changes/index.ts';
import { ForgetError } from './forget-error.ts';
import type { Redactor } from './redactor.ts';

const pieceOverlap = 65_536;
const pieceLength = 4_194_304;

/** Whether the raw bytes of a file contain the words, in whatever part of it. */
export async function fileContains(file: string, redactor: Redactor, searchPath: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  const scanner = createScanner(redactor);
  if (/\.sqlite(?:-shm|-wal)?$/.test(file) && process.platform !== 'win32')
    await readInOtherProcess(file, scanner.add, searchPath);
  else
    for await (const piece of createReadStream(file, { highWaterMark: pieceLength }))
      scanner.add(piece as Buffer);
  return scanner.end();
}

/**
 * When a process closes a file, the system releases all locks that the process has on it, also those of SQLite. The next process
 * that closes the database would then delete the log and the shared memory that this one still writes to.
 */
async function readInOtherProcess(
  file: string,
  onOutput: (piece: Buffer) => void,
  searchPath: string,
): Promise<void> {
  const program = { name: 'cat', args: ['--', file], env: { PATH: searchPath }, input: [] };
  const { failure } = await runProgram(program, { onOutput });
  // SQLite deletes the log when no process uses it any more.
  if (failure !== null && existsSync(file))
    throw new ForgetError('unsupported', `${file} cannot be searched (${failure.message})`, {
      hint: 'add the program cat to the search path',
    });
}

/** Searches bytes that arrive in pieces, of which words may be in two. */
function createScanner(redactor: Redactor): { add: (piece: Buffer) => void; end: () => boolean } {
  let pieces: Buffer[] = [];
  let length = 0;
  let isFound = false;
  const search = (): void => {
    const bytes = Buffer.concat(pieces);
    isFound ||= redactor.matchesBytes(bytes);
    pieces = [bytes.subarray(-pieceOverlap)];
    length = 0;
  };
  return {
    add(piece) {
      if (isFound) return;
      pieces.push(piece);
      length += piece.length;
      if (length >= pieceLength) search();
    },
    end() {
      if (length > 0) search();
      return isFound;
    },
  };
}
