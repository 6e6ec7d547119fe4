import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ModelError, reasonOf } from './error.ts';
import { openDownload } from './open-download.ts';
import type { Download, Fetch } from './open-download.ts';

export type DownloadOptions = {
  url: string;
  file: string;
  /** In hexadecimal. Left out, the host has to state it; `unknown` takes the file as it comes. */
  sha256?: string;
  fetch?: Fetch;
  /** `total` is null while the host has not said it. */
  onProgress: (progress: { received: number; total: number | null }) => void;
  signal: AbortSignal;
  /** How long the host may send nothing. */
  stallMilliseconds?: number;
};

export type Downloaded = {
  bytes: number;
  sha256: string;
  /** Whether the checksum was given or stated; otherwise it was only computed, to be shown and recorded. */
  verified: boolean;
};

/**
 * Downloads a model. The file appears only when all of it is there and its checksum is right; until then it grows as
 * `<file>.part`, where the next call continues. Two calls for the same file must not run at once.
 */
export async function downloadModel(options: DownloadOptions): Promise<Downloaded> {
  const { url, file, fetch = globalThis.fetch, onProgress, signal } = options;
  const part = `${file}.part`;
  const stall = createStall(options.stallMilliseconds ?? 60_000);
  const source = { url, fetch, signal: AbortSignal.any([signal, stall.signal]) };
  try {
    await mkdir(dirname(file), { recursive: true });
    const there = await sizeOf(part);
    let download = await openDownload(source, there);
    if (download.kind === 'past-the-end' && download.total !== there) {
      await rm(part, { force: true });
      download = await openDownload(source, 0);
    }
    const expected = await expectedChecksum(options.sha256, download, url);
    if (download.kind === 'body')
      await receive(download, part, (received) => {
        stall.restart();
        onProgress({ received, total: download.total });
      });
    stall.stop();
    return await settle(part, file, { expected, total: download.total }, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error, url, file);
  } finally {
    stall.stop();
  }
}

/** Null when there is none and the person has said that they know. */
async function expectedChecksum(
  given: string | undefined,
  download: Download,
  url: string,
): Promise<string | null> {
  const wanted = given === 'unknown' ? null : given?.toLowerCase();
  const stated = download.sha256;
  const refuse = async (
    code: 'no-checksum' | 'wrong-checksum',
    message: string,
    mend: string,
  ): Promise<never> => {
    if (download.kind === 'body') await download.body.cancel();
    throw new ModelError(code, message, { mend });
  };
  if (wanted && stated !== null && wanted !== stated)
    return refuse(
      'wrong-checksum',
      `${url} is now another file than expected (sha256 ${stated}, not ${wanted})`,
      'do not use it unless you know why',
    );
  if (wanted === undefined && stated === null)
    return refuse(
      'no-checksum',
      `${url} comes without a checksum`,
      'give its sha256, or say that it is unknown to take the file as it comes',
    );
  return wanted ?? stated;
}

async function receive(
  { from, body }: Extract<Download, { kind: 'body' }>,
  part: string,
  onReceived: (received: number) => void,
): Promise<void> {
  const handle = await open(part, from === 0 ? 'w' : 'r+');
  try {
    let at = from;
    for await (const chunk of body) {
      await writeAll(handle, chunk, at);
      at += chunk.byteLength;
      onReceived(at);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.byteLength;) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.byteLength - done, position + done);
    done += bytesWritten;
  }
}

async function settle(
  part: string,
  file: string,
  { expected, total }: { expected: string | null; total: number | null },
  signal: AbortSignal,
): Promise<Downloaded> {
  const bytes = await sizeOf(part);
  if (total !== null && bytes < total)
    throw new ModelError('unreachable', `the download of ${file} broke off`, {
      mend: 'start it again to continue',
    });
  const sha256 = await hashOf(part, signal);
  if (expected !== null && sha256 !== expected) {
    await rm(part, { force: true });
    throw new ModelError(
      'wrong-checksum',
      `${file} was not received as it should be (sha256 ${sha256}, not ${expected}) and was deleted`,
      { mend: 'download it again' },
    );
  }
  signal.throwIfAborted();
  await rename(part, file);
  return { bytes, sha256, verified: expected !== null };
}

/** From the disk, not from what was received: that is what will be loaded. */
async function hashOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20, signal }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

type Stall = { signal: AbortSignal; restart: () => void; stop: () => void };

/** Aborts once nothing has happened for so long. */
function createStall(milliseconds: number): Stall {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new ModelError('unreachable', `nothing came for ${milliseconds / 1000} seconds`)),
    milliseconds,
  );
  return { signal: controller.signal, restart: () => timer.refresh(), stop: () => clearTimeout(timer) };
}

function toModelError(error: unknown, url: string, file: string): ModelError {
  if (error instanceof ModelError) return error;
  const isOfTheDisk = error instanceof Error && 'syscall' in error; // what fetch throws has none
  return isOfTheDisk
    ? new ModelError('io', `${file} cannot be written (${reasonOf(error)})`, {
        mend: 'is there space on the disk?',
        cause: error,
      })
    : new ModelError('unreachable', `${url} broke off (${reasonOf(error)})`, {
        mend: 'start again to continue',
        cause: error,
      });
}
