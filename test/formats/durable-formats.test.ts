import { readFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeRecord } from '../../packages/service/src/hosting/records.ts';
import type { LogRecord } from '../../packages/service/src/hosting/records.ts';
import { serializeProgress, deserializeProgress } from '../../packages/vault/src/agents/update/progress.ts';
import { createStaging } from '../../packages/vault/src/changes/staged-changes.ts';
import { formatReason } from '../../packages/vault/src/contract/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { progress, records, removedFolder, stageAll, stagedFiles } from './stored-values.ts';

/** A file in version 0 of its format: values serialized by V8. */
const written = (name: string): Buffer => readFileSync(new URL(`v8/${name}.bin`, import.meta.url));
const v8FirstByte = 0xff;

const paths = fc.string().map((name) => `vault/${name}` as VaultPath);
const note = 'vault/note.md' as VaultPath;
const bytes = fc.uint8Array().map((each) => Buffer.from(each));

describe('the commit log', () => {
  it.each(Object.entries(records))('reads %s from data of version 0', (name, record) => {
    expect(zstdDecompressSync(written(`record-${name}`))[0]).toBe(v8FirstByte);
    expect(decodeRecord(written(`record-${name}`))).toEqual(record);
  });

  it.each(Object.entries(records))(
    'stores %s in a versioned format and reads it back unchanged',
    (_, record) => {
      const encoded = encodeRecord(record);
      expect(zstdDecompressSync(encoded)[0]).not.toBe(v8FirstByte);
      expect(decodeRecord(encoded)).toEqual(record);
    },
  );

  it('converts a reason that version 0 stored as a sentence to a reason code', () => {
    const { entry, taking } = records.begun;
    const heldBecause = formatReason('deletes-files', { count: 1_234 });
    const earlier = {
      ...records.begun,
      entry: { ...entry, heldBecause: 'it deletes 1,234 files' },
      taking: {
        ...taking,
        removed: taking.removed.map(({ path, totalCharacters, removedCharacters, isMostlyRemoved }) => ({
          path,
          had: totalCharacters,
          removed: removedCharacters,
          isLost: isMostlyRemoved,
        })),
      },
    };
    const held = { ...records.begun, entry: { ...entry, heldBecause } };
    expect(decodeRecord(zstdCompressSync(serialize(earlier)))).toEqual(held);
    expect(decodeRecord(encodeRecord(held))).toEqual(held);
    expect(zstdDecompressSync(encodeRecord(held)).includes('it deletes')).toBe(false);
  });

  it('round-trips arbitrary files and text', () => {
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
          entry: {
            id,
            at: 1,
            origin: 'mail',
            summary,
            state: 'applying',
            moves: new Map([[path, note]]),
          },
          changes: [{ kind: 'replace', path, before, after, mode: 0o644 }],
          taking: { connection: 'mail', removed: [], own: new Set([path]) },
        };
        expect(decodeRecord(encodeRecord(record))).toStrictEqual(record);
      }),
    );
  });
});

describe('saved update progress', () => {
  const staging = createStaging();
  stageAll(staging);
  const whole = { ...progress, staged: staging.changes.serialize() };

  it('can be read from data of version 0', () => {
    const { staged, ...rest } = deserializeProgress(written('update-progress')) ?? {};
    expect(rest).toMatchObject(progress);
    const restored = createStaging();
    restored.changes.deserialize(staged ?? new Uint8Array());
    expect([...restored.files]).toEqual(stagedFiles);
  });

  it('is stored in a versioned format and read back unchanged', () => {
    const packed = serializeProgress(whole);
    expect(gunzipSync(packed)[0]).not.toBe(v8FirstByte);
    expect(deserializeProgress(packed)).toEqual(whole);
  });

  it('survives a round trip with arbitrary files and text', () => {
    const files = fc.array(fc.tuple(paths, bytes)).map((each) => new Map(each));
    fc.assert(
      fc.property(files, fc.array(fc.string()), (incoming, summaries) => {
        const one = { ...whole, summaries, incoming: { ...whole.incoming, files: incoming } };
        expect(deserializeProgress(serializeProgress(one))).toEqual(one);
      }),
    );
  });
});

describe('staged changes', () => {
  it('can be read from data of version 0', () => {
    expect(written('staged-changes')[0]).toBe(v8FirstByte);
    const restored = createStaging();
    restored.changes.deserialize(written('staged-changes'));
    expect([...restored.files]).toEqual(stagedFiles);
    expect([...restored.changes.removedFolders()]).toEqual([removedFolder]);
  });

  it('are stored in a versioned format and read back unchanged', () => {
    const staging = createStaging();
    stageAll(staging);
    const saved = staging.changes.serialize();
    expect(saved[0]).not.toBe(v8FirstByte);
    const restored = createStaging();
    restored.changes.deserialize(saved);
    expect([...restored.files]).toEqual(stagedFiles);
    expect([...restored.changes.removedFolders()]).toEqual([removedFolder]);
  });

  it('survive a round trip with arbitrary files', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(paths, fc.option(bytes), fc.option(bytes))), (files) => {
        const [staging, restored] = [createStaging(), createStaging()];
        for (const [path, before, after] of files) staging.stage(path, { before, after, keepsStamps: true });
        restored.changes.deserialize(staging.changes.serialize());
        expect([...restored.files]).toStrictEqual([...staging.files]);
      }),
    );
  });
});
