import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServedFile } from '../../../../test/local-models/files.ts';
import { startScriptedModels } from '../../../../test/local-models/server.ts';
import type { ScriptedModels } from '../../../../test/local-models/server.ts';
import { downloadModel } from './download.ts';
import type { DownloadOptions } from './download.ts';

const path = '/org/model/resolve/main/model.gguf';
const bytes = randomBytes(300_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
let server: ScriptedModels;
let folder: string;
let file: string;

beforeEach(async () => {
  server = await startScriptedModels();
  folder = mkdtempSync(join(tmpdir(), 'keepsake-download-'));
  file = join(folder, 'models', 'model.gguf');
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const serve = (served: Partial<ServedFile> = {}): string =>
  server.serve(path, { bytes, huggingFace: true, ...served });
const download = (options: Partial<DownloadOptions> = {}) =>
  downloadModel({
    url: server.origin + path,
    file,
    onProgress: () => undefined,
    signal: AbortSignal.timeout(20_000),
    ...options,
  });
const part = (): string => `${file}.part`;
const ranges = (): unknown[] =>
  server.requests.filter(({ path: seen }) => seen.startsWith('/storage')).map(({ headers }) => headers.range);

describe('a download', () => {
  it('is verified against the checksum from Hugging Face', async () => {
    serve();
    const seen: { received: number; total: number | null }[] = [];
    const done = await download({ onProgress: (progress) => seen.push(progress) });
    expect(done).toEqual({ bytes: bytes.length, sha256, verified: true });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(existsSync(part())).toBe(false);
    expect(seen.at(-1)).toEqual({ received: bytes.length, total: bytes.length });
  });

  it('is verified against a given checksum', async () => {
    serve({ huggingFace: false });
    expect(await download({ sha256: sha256.toUpperCase() })).toMatchObject({ verified: true });
  });

  it('resumes after an interruption', async () => {
    serve();
    const { promise: when, resolve } = Promise.withResolvers<void>();
    server.script(`/storage${path}`, { do: 'cut', after: 100_000, when });
    const onProgress = ({ received }: { received: number }): void => {
      if (received === 100_000) resolve();
    };
    await expect(download({ onProgress })).rejects.toMatchObject({
      name: 'ModelError',
      code: 'unreachable',
    });
    expect(existsSync(file)).toBe(false);
    expect(statSync(part()).size).toBe(100_000);
    expect(await download()).toMatchObject({ sha256 });
    expect(ranges()).toEqual([undefined, 'bytes=100000-']);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('starts over if the host ignores the range header', async () => {
    serve({ ignoresRange: true });
    server.script(`/storage${path}`, { do: 'cut', after: 100_000 });
    await expect(download()).rejects.toMatchObject({ code: 'unreachable' });
    expect(await download()).toMatchObject({ bytes: bytes.length, sha256 });
  });

  it('verifies a partial file that is already complete', async () => {
    serve();
    await download();
    writeFileSync(part(), bytes);
    rmSync(file);
    expect(await download()).toMatchObject({ sha256 });
    expect(existsSync(part())).toBe(false);
  });

  it('starts over if the partial file is longer than the whole file', async () => {
    serve();
    await download();
    rmSync(file);
    writeFileSync(part(), Buffer.concat([bytes, bytes]));
    expect(await download()).toMatchObject({ bytes: bytes.length, sha256 });
  });

  it('is deleted on a checksum mismatch', async () => {
    serve({ statedSha256: 'a'.repeat(64) });
    await expect(download()).rejects.toMatchObject({ code: 'wrong-checksum' });
    expect([existsSync(file), existsSync(part())]).toEqual([false, false]);
  });

  it('is deleted if it was resumed from a part of another file, and the next attempt succeeds', async () => {
    serve();
    await download();
    rmSync(file);
    writeFileSync(part(), Buffer.alloc(1000));
    await expect(download()).rejects.toMatchObject({ code: 'wrong-checksum' });
    expect(await download()).toMatchObject({ sha256 });
  });

  it('is rejected before it starts if the host reports a checksum other than the given one', async () => {
    serve();
    await expect(download({ sha256: 'b'.repeat(64) })).rejects.toMatchObject({ code: 'wrong-checksum' });
    expect(existsSync(part())).toBe(false);
  });

  it('is rejected if there is no checksum', async () => {
    serve({ huggingFace: false });
    await expect(download()).rejects.toMatchObject({ code: 'no-checksum' });
    expect([existsSync(file), existsSync(part())]).toEqual([false, false]);
  });

  it('is rejected if the ETag of the host is not a checksum', async () => {
    serve({ statedSha256: 'c'.repeat(40) });
    await expect(download()).rejects.toMatchObject({ code: 'no-checksum' });
  });

  it('is accepted without a checksum if the user allows it, and returns the computed checksum', async () => {
    serve({ huggingFace: false });
    expect(await download({ sha256: 'unknown' })).toEqual({ bytes: bytes.length, sha256, verified: false });
  });

  it('trusts only the checksum from the requested host, not one from a redirect target', async () => {
    const other = await startScriptedModels();
    other.serve(path, { bytes, huggingFace: true });
    server.script(path, { do: 'status', status: 302, headers: { location: other.origin + path } });
    await expect(download()).rejects.toMatchObject({ code: 'no-checksum' });
    await other.close();
  });

  it('is rejected if it is a web page', async () => {
    serve({ huggingFace: false, contentType: 'text/html; charset=utf-8' });
    await expect(download({ sha256: 'unknown' })).rejects.toMatchObject({ code: 'bad-download' });
  });

  it.each([
    [401, 'refused'],
    [404, 'bad-download'],
    [429, 'unavailable'],
    [500, 'unavailable'],
  ])('explains status %i', async (status, code) => {
    serve();
    server.script(path, { do: 'status', status });
    await expect(download()).rejects.toMatchObject({ code });
  });

  it('does not follow redirect loops', async () => {
    const step = { do: 'status', status: 302, headers: { location: path } } as const;
    server.script(path, ...Array.from({ length: 9 }, () => step));
    await expect(download()).rejects.toMatchObject({ code: 'bad-download' });
  });

  it('keeps the partial file when it is aborted', async () => {
    serve();
    server.script(`/storage${path}`, { do: 'stall', after: 50_000 });
    const controller = new AbortController();
    const reason = new Error('not now');
    const stopped = download({
      signal: controller.signal,
      onProgress: ({ received }) => void (received === 50_000 && controller.abort(reason)),
    });
    await expect(stopped).rejects.toBe(reason);
    expect(statSync(part()).size).toBe(50_000);
    expect(await download()).toMatchObject({ sha256 });
    expect(ranges()).toEqual([undefined, 'bytes=50000-']);
  });

  it('times out if the host stops sending', async () => {
    serve();
    server.script(`/storage${path}`, { do: 'stall', after: 50_000 });
    await expect(download({ stallTimeoutMs: 200 })).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('reports that the target folder cannot be written', async () => {
    serve();
    writeFileSync(join(folder, 'models'), 'a file where the folder should be');
    await expect(download()).rejects.toMatchObject({ code: 'io' });
  });
});
