import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ModelError, errorCodeOrMessage } from './error.ts';
import { readGgufHeader } from './gguf-header.ts';
import type { GgufHeader } from './gguf-header.ts';

export type ModelFile = GgufHeader & { size: number; prefixSha256: string };

/** Reads the metadata of a model file, and identifies the file by its size and a hash of its first megabyte. */
export function readModelFile(modelFile: string): ModelFile {
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
    throw new ModelError('no-model', `cannot read ${modelFile} (${errorCodeOrMessage(cause)})`, {
      hint: 'download a model with keepsake models pull',
      cause,
    });
  }
  const header = readGgufHeader(start);
  if (header === null)
    throw new ModelError('bad-model', `${modelFile} is not a GGUF model`, {
      hint: 'delete it and download it again',
    });
  const prefixSha256 = createHash('sha256').update(start).digest('hex').slice(0, 16);
  return { ...header, size, prefixSha256 };
}
