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
  it('is checked against what Hugging Face states', async () => {
    serve();
    const seen: { received: number; total: number | null }[] = [];
    const done = await download({ onProgress: (progress) => seen.push(progress) });
    expect(done).toEqual({ bytes: bytes.length, sha256, verified: true });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(existsSync(part())).toBe(false);
    expect(seen.at(-1)).toEqual({ received: bytes.length, total: bytes.length });
  });

  it('is checked against the checksum that is given', async () => {
    serve({ huggingFace: false });
    expect(await download({ sha256: sha256.toUpperCase() })).toMatchObject({ verified: true });
  });

  it('continues where it broke off', async () => {
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

  it('begins anew with a host that sends everything again', async () => {
    serve({ ignoresRange: true });
    server.script(`/storage${path}`, { do: 'cut', after: 100_000 });
    await expect(download()).rejects.toMatchObject({ code: 'unreachable' });
    expect(await download()).toMatchObject({ bytes: bytes.length, sha256 });
  });

  it('fetches nothing again when all of it was there and only the check was missing', async () => {
    serve();
    await download();
    writeFileSync(part(), bytes);
    rmSync(file);
    expect(await download()).toMatchObject({ sha256 });
    expect(existsSync(part())).toBe(false);
  });

  it('begins anew when the part that is there is longer than the whole file', async () => {
    serve();
    await download();
    rmSync(file);
    writeFileSync(part(), Buffer.concat([bytes, bytes]));
    expect(await download()).toMatchObject({ bytes: bytes.length, sha256 });
  });

  it('is deleted when it is not what was stated', async () => {
    serve({ statedSha256: 'a'.repeat(64) });
    await expect(download()).rejects.toMatchObject({ code: 'wrong-checksum' });
    expect([existsSync(file), existsSync(part())]).toEqual([false, false]);
  });

  it('is deleted when what it continued was something else, and the next one succeeds', async () => {
    serve();
    await download();
    rmSync(file);
    writeFileSync(part(), Buffer.alloc(1000));
    await expect(download()).rejects.toMatchObject({ code: 'wrong-checksum' });
    expect(await download()).toMatchObject({ sha256 });
  });

  it('is refused before it starts when the host offers another file than expected', async () => {
    serve();
    await expect(download({ sha256: 'b'.repeat(64) })).rejects.toMatchObject({ code: 'wrong-checksum' });
    expect(existsSync(part())).toBe(false);
  });

  it('is refused without a checksum from anywhere', async () => {
    serve({ huggingFace: false });
    await expect(download()).rejects.toMatchObject({ code: 'no-checksum' });
    expect([existsSync(file), existsSync(part())]).toEqual([false, false]);
  });

  it('is refused when the entity tag that the host states is no checksum', async () => {
    serve({ statedSha256: 'c'.repeat(40) });
    await expect(download()).rejects.toMatchObject({ code: 'no-checksum' });
  });

  it('is taken without a checksum when the person says so, and its own is told', async () => {
    serve({ huggingFace: false });
    expect(await download({ sha256: 'unknown' })).toEqual({ bytes: bytes.length, sha256, verified: false });
  });

  it('takes its checksum from the host that was named, never from one that this leads to', async () => {
    const other = await startScriptedModels();
    other.serve(path, { bytes, huggingFace: true });
    server.script(path, { do: 'status', status: 302, headers: { location: other.origin + path } });
    await expect(download()).rejects.toMatchObject({ code: 'no-checksum' });
    await other.close();
  });

  it('is refused when it is a web page', async () => {
    serve({ huggingFace: false, contentType: 'text/html; charset=utf-8' });
    await expect(download({ sha256: 'unknown' })).rejects.toMatchObject({ code: 'bad-download' });
  });

  it.each([
    [401, 'refused'],
    [404, 'bad-download'],
    [429, 'unavailable'],
    [500, 'unavailable'],
  ])('says what a status of %i means', async (status, code) => {
    serve();
    server.script(path, { do: 'status', status });
    await expect(download()).rejects.toMatchObject({ code });
  });

  it('does not follow addresses in circles', async () => {
    const step = { do: 'status', status: 302, headers: { location: path } } as const;
    server.script(path, ...Array.from({ length: 9 }, () => step));
    await expect(download()).rejects.toMatchObject({ code: 'bad-download' });
  });

  it('keeps what it has when it is aborted, to continue later', async () => {
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

  it('does not wait for ever for a host that has fallen silent', async () => {
    serve();
    server.script(`/storage${path}`, { do: 'stall', after: 50_000 });
    await expect(download({ stallMilliseconds: 200 })).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('says when the place for it cannot be written', async () => {
    serve();
    writeFileSync(join(folder, 'models'), 'a file where the folder should be');
    await expect(download()).rejects.toMatchObject({ code: 'io' });
  });
});
