import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ModelError, errorCodeOrMessage } from './error.ts';
import { startDownload } from './open-download.ts';
import type { Download, Fetch } from './open-download.ts';

export type DownloadOptions = {
  url: string;
  file: string;
  /** In hexadecimal. By default the host has to provide it; `unknown` accepts any file. */
  sha256?: string;
  fetch?: Fetch;
  /** `total` is null until the host reports it. */
  onProgress: (progress: { received: number; total: number | null }) => void;
  signal: AbortSignal;
  /** Maximum time without data, in milliseconds. */
  stallTimeoutMs?: number;
};

export type DownloadResult = {
  bytes: number;
  sha256: string;
  /**
   * Whether the file was checked against a checksum from the caller or the host; otherwise `sha256` was only computed.
   */
  verified: boolean;
};

/**
 * Downloads a model. The file appears only once it is complete and its checksum matches; until then it is stored as
 * `<file>.part`, which the next call resumes. Two calls for the same file must not run at the same time.
 */
export async function downloadModel(options: DownloadOptions): Promise<DownloadResult> {
  const { url, file, fetch = globalThis.fetch, onProgress, signal } = options;
  const part = `${file}.part`;
  const stall = createStall(options.stallTimeoutMs ?? 60_000);
  const source = { url, fetch, signal: AbortSignal.any([signal, stall.signal]) };
  try {
    await mkdir(dirname(file), { recursive: true });
    const partBytes = await fileSize(part);
    let download = await startDownload(source, partBytes);
    if (download.kind === 'range-not-satisfiable' && download.total !== partBytes) {
      await rm(part, { force: true });
      download = await startDownload(source, 0);
    }
    const expected = await resolveChecksum(options.sha256, download, url);
    if (download.kind === 'body')
      await writeBody(download, part, (received) => {
        stall.restart();
        onProgress({ received, total: download.total });
      });
    stall.stop();
    return await verifyAndRename(part, file, { expected, total: download.total }, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error, url, file);
  } finally {
    stall.stop();
  }
}

/** Null if there is no checksum and the user accepted that. */
async function resolveChecksum(
  checksum: string | undefined,
  download: Download,
  url: string,
): Promise<string | null> {
  const expected = checksum === 'unknown' ? null : checksum?.toLowerCase();
  const stated = download.sha256;
  const refuse = async (
    code: 'no-checksum' | 'wrong-checksum',
    message: string,
    hint: string,
  ): Promise<never> => {
    if (download.kind === 'body') await download.body.cancel();
    throw new ModelError(code, message, { hint });
  };
  if (expected && stated !== null && expected !== stated)
    return refuse(
      'wrong-checksum',
      `checksum mismatch for ${url} (expected ${expected}, got ${stated})`,
      'do not use this file',
    );
  if (expected === undefined && stated === null)
    return refuse(
      'no-checksum',
      `${url} has no checksum`,
      'pass its sha256, or "unknown" to accept any file',
    );
  return expected ?? stated;
}

async function writeBody(
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

async function verifyAndRename(
  part: string,
  file: string,
  { expected, total }: { expected: string | null; total: number | null },
  signal: AbortSignal,
): Promise<DownloadResult> {
  const bytes = await fileSize(part);
  if (total !== null && bytes < total)
    throw new ModelError('unreachable', `download of ${file} interrupted`, {
      hint: 'run it again to resume',
    });
  const sha256 = await sha256File(part, signal);
  if (expected !== null && sha256 !== expected) {
    await rm(part, { force: true });
    throw new ModelError(
      'wrong-checksum',
      `checksum mismatch for ${file} (expected ${expected}, got ${sha256}); the file was deleted`,
      { hint: 'download it again' },
    );
  }
  signal.throwIfAborted();
  await rename(part, file);
  return { bytes, sha256, verified: expected !== null };
}

/** Hashes the file on disk instead of the received bytes, because the file is what will be loaded. */
async function sha256File(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20, signal }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function fileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errorCodeOrMessage(error) === 'ENOENT') return 0;
    throw error;
  }
}

type StallTimer = { signal: AbortSignal; restart: () => void; stop: () => void };

/** Aborts if `restart` is not called for this long. */
function createStall(milliseconds: number): StallTimer {
  const controller = new AbortController();
  const timer = setTimeout(
    () =>
      controller.abort(new ModelError('unreachable', `no data received for ${milliseconds / 1000} seconds`)),
    milliseconds,
  );
  return { signal: controller.signal, restart: () => timer.refresh(), stop: () => clearTimeout(timer) };
}

function toModelError(error: unknown, url: string, file: string): ModelError {
  if (error instanceof ModelError) return error;
  const isOfTheDisk = error instanceof Error && 'syscall' in error; // errors of fetch have no syscall
  return isOfTheDisk
    ? new ModelError('io', `cannot write ${file} (${errorCodeOrMessage(error)})`, {
        hint: 'check the free disk space',
        cause: error,
      })
    : new ModelError('unreachable', `download from ${url} interrupted (${errorCodeOrMessage(error)})`, {
        hint: 'run it again to resume',
        cause: error,
      });
}
