import { readFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeRecord } from '../../packages/service/src/hosting/records.ts';
import type { LogRecord } from '../../packages/service/src/hosting/records.ts';
import { packProgress, unpackProgress } from '../../packages/vault/src/agents/update/progress.ts';
import { createStaging } from '../../packages/vault/src/changes/staged-changes.ts';
import { reasonFor } from '../../packages/vault/src/contract/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { progress, records, removedFolder, stageAll, stagedFiles } from './stored-values.ts';

/** A file of version 0 of its format: values as V8 serializes them. */
const written = (name: string): Buffer => readFileSync(new URL(`v8/${name}.bin`, import.meta.url));
const v8FirstByte = 0xff;

const paths = fc.string().map((name) => `vault/${name}` as VaultPath);
const bytes = fc.uint8Array().map((each) => Buffer.from(each));

describe('records of the commit log', () => {
  it.each(Object.entries(records))('%s opens in version 0', (name, record) => {
    expect(zstdDecompressSync(written(`record-${name}`))[0]).toBe(v8FirstByte);
    expect(decodeRecord(written(`record-${name}`))).toEqual(record);
  });

  it.each(Object.entries(records))(
    '%s is stored in a versioned format and comes back the same',
    (_, record) => {
      const encoded = encodeRecord(record);
      expect(zstdDecompressSync(encoded)[0]).not.toBe(v8FirstByte);
      expect(decodeRecord(encoded)).toEqual(record);
    },
  );

  it('have a reason where version 0 had a sentence, and store it without the sentence', () => {
    const { entry } = records.begun;
    const heldBecause = reasonFor('deletes-files', { count: 1_234 });
    const earlier = { ...records.begun, entry: { ...entry, heldBecause: 'it deletes 1,234 files' } };
    const held = { ...records.begun, entry: { ...entry, heldBecause } };
    expect(decodeRecord(zstdCompressSync(serialize(earlier)))).toEqual(held);
    expect(decodeRecord(encodeRecord(held))).toEqual(held);
    expect(zstdDecompressSync(encodeRecord(held)).includes('it deletes')).toBe(false);
  });

  it('come back the same whatever files and words they have', () => {
    const begun = fc.record({
      id: fc.string(),
      summary: fc.string(),
      path: paths,
      before: bytes,
      after: bytes,
    });
    fc.assert(
      fc.property(begun, ({ id, summary, path, before, after }) => {
        const record: LogRecord = {
          kind: 'begun',
          entry: { id, at: 1, origin: 'mail', summary, state: 'applying' },
          changes: [{ kind: 'replace', path, before, after, mode: 0o644 }],
          taking: { connection: 'mail', removed: [], own: new Set([path]) },
        };
        expect(decodeRecord(encodeRecord(record))).toStrictEqual(record);
      }),
    );
  });
});

describe('the saved progress of an update', () => {
  const staging = createStaging();
  stageAll(staging);
  const whole = { ...progress, staged: staging.changes.save() };

  it('opens in version 0', () => {
    const { staged, ...rest } = unpackProgress(written('update-progress')) ?? {};
    expect(rest).toMatchObject(progress);
    const restored = createStaging();
    restored.changes.restore(staged ?? new Uint8Array());
    expect([...restored.files]).toEqual(stagedFiles);
  });

  it('is stored in a versioned format and comes back the same', () => {
    const packed = packProgress(whole);
    expect(gunzipSync(packed)[0]).not.toBe(v8FirstByte);
    expect(unpackProgress(packed)).toEqual(whole);
  });

  it('comes back the same whatever files and words it has', () => {
    const files = fc.array(fc.tuple(paths, bytes)).map((each) => new Map(each));
    fc.assert(
      fc.property(files, fc.array(fc.string()), (incoming, summaries) => {
        const one = { ...whole, summaries, incoming: { ...whole.incoming, files: incoming } };
        expect(unpackProgress(packProgress(one))).toEqual(one);
      }),
    );
  });
});

describe('staged changes', () => {
  it('open in version 0', () => {
    expect(written('staged-changes')[0]).toBe(v8FirstByte);
    const restored = createStaging();
    restored.changes.restore(written('staged-changes'));
    expect([...restored.files]).toEqual(stagedFiles);
    expect([...restored.changes.removedFolders()]).toEqual([removedFolder]);
  });

  it('are saved in a versioned format and come back the same', () => {
    const staging = createStaging();
    stageAll(staging);
    const saved = staging.changes.save();
    expect(saved[0]).not.toBe(v8FirstByte);
    const restored = createStaging();
    restored.changes.restore(saved);
    expect([...restored.files]).toEqual(stagedFiles);
    expect([...restored.changes.removedFolders()]).toEqual([removedFolder]);
  });

  it('come back the same whatever files there are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(paths, fc.option(bytes), fc.option(bytes))), (files) => {
        const [staging, restored] = [createStaging(), createStaging()];
        for (const [path, before, after] of files) staging.stage(path, { before, after, keepsStamps: true });
        restored.changes.restore(staging.changes.save());
        expect([...restored.files]).toStrictEqual([...staging.files]);
      }),
    );
  });
});
