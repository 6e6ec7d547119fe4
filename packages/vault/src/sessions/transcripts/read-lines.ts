import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

const chunkBytes = 1 << 20;
/** Longer lines are skipped: they contain attachments, not words. */
const maxLineBytes = 16 << 20;
const newline = 0x0a;

/**
 * Calls `onLine` for every line that contains one of the markers; no markers select all lines. Most of a transcript is
 * noise, so a line is decoded only if it is selected.
 */
export async function readLines(
  file: string,
  markers: readonly string[],
  onLine: (line: string) => void,
): Promise<void> {
  const handle = await open(file);
  const select = createSelector(markers, onLine);
  try {
    let rest: Buffer[] = [];
    let restBytes = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
      if (bytesRead === 0) break;
      let start = 0;
      for (
        let end = buffer.indexOf(newline);
        end !== -1 && end < bytesRead;
        end = buffer.indexOf(newline, start)
      ) {
        if (restBytes <= maxLineBytes) select(Buffer.concat([...rest, buffer.subarray(start, end)]));
        [rest, restBytes] = [[], 0];
        start = end + 1;
      }
      restBytes += bytesRead - start;
      rest = restBytes <= maxLineBytes ? [...rest, buffer.subarray(start, bytesRead)] : [];
    }
    if (restBytes <= maxLineBytes) select(Buffer.concat(rest));
  } finally {
    await handle.close();
  }
}

const endBytes = 64 * 1024;

/**
 * Like `readLines` for the complete lines in the first and last 64 kB; a smaller file has only an end. Returns the number of
 * bytes read.
 */
export function readEnds(
  file: string,
  markers: readonly string[],
  onLine: (line: string, isEnd: boolean) => void,
): number {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const select = (bytes: Buffer, isEnd: boolean): void =>
      splitLines(bytes).forEach(createSelector(markers, (line) => onLine(line, isEnd)));
    const readAt = (position: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(handle, bytes, 0, length, position));
    };
    if (size <= 2 * endBytes) {
      select(readAt(0, size), true);
      return size;
    }
    const head = readAt(0, endBytes);
    select(head.subarray(0, head.lastIndexOf(newline) + 1), false);
    const tail = readAt(size - endBytes, endBytes);
    const first = tail.indexOf(newline);
    select(tail.subarray(first === -1 ? tail.length : first + 1), true);
    return 2 * endBytes;
  } finally {
    closeSync(handle);
  }
}

function createSelector(markers: readonly string[], onLine: (line: string) => void): (line: Buffer) => void {
  return (line) => {
    if (line.length > 1 && (markers.length === 0 || markers.some((marker) => line.includes(marker))))
      onLine(line.toString());
  };
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return [...lines, bytes.subarray(start)];
}
