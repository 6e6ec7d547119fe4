import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ModelError, reasonOf } from './error.ts';
import { readGgufHeader } from './gguf-header.ts';
import type { GgufHeader } from './gguf-header.ts';

export type ModelFile = GgufHeader & { size: number; hash: string };

/** The first megabyte tells a file from any other: it holds the metadata, and its length is taken along. */
export function inspectModelFile(modelFile: string): ModelFile {
  let start: Buffer;
  let size: number;
  try {
    const descriptor = openSync(modelFile, 'r');
    try {
      size = fstatSync(descriptor).size;
      start = Buffer.alloc(Math.min(size, 2 ** 20));
      start = start.subarray(0, readSync(descriptor, start, 0, start.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw new ModelError('no-model', `${modelFile} cannot be read (${reasonOf(cause)})`, {
      mend: 'download a model with: keepsake models pull',
      cause,
    });
  }
  const header = readGgufHeader(start);
  if (header === null)
    throw new ModelError('bad-model', `${modelFile} is not a GGUF model`, {
      mend: 'delete it and download it again',
    });
  const hash = createHash('sha256').update(start).digest('hex').slice(0, 16);
  return { ...header, size, hash };
}
