import { expect, it } from 'vitest';
import { createHistoryRecorder } from './history-recorder.ts';
import type { FileState } from './file-state-store.ts';
import { parseVaultPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';

const graceMs = 20;

/** A recorder of deletions in memory: `delete` is what a scan notices, `record` returns the paths that are recorded. */
function createRecorder() {
  let now = 0;
  let dueAt = Infinity;
  const states = new Map<VaultPath, FileState>();
  const recorded: VaultPath[][] = [];
  const recorder = createHistoryRecorder({
    changes: {
      recordExternalEdits(paths, awaited = new Set()) {
        const done = paths.filter((path) => !awaited.has(path));
        if (done.length > 0) recorded.push(done);
        return Promise.resolve({ done, edited: done });
      },
    } as Parameters<typeof createHistoryRecorder>[0]['changes'],
    catalogue: { contents: () => Promise.reject(new Error('not needed')) },
    memory: {
      files: () => states,
      put: (path, state) => void states.set(path, state),
      forget: (path) => void states.delete(path),
      hasRevision: () => false,
      getValue: () => null,
      setValue: () => undefined,
      flush: () => undefined,
    },
    stamps: { paths: () => [] },
    schedule: {
      postponeRecording: () => void (dueAt = Infinity),
      scheduleRecording: (at) => void (dueAt = Math.min(dueAt, at)),
      scheduleBaseline: () => undefined,
    },
    report: () => undefined,
    monotonicNow: () => now,
    deletionGraceMs: graceMs,
  });
  return {
    recorded,
    delete(name: string): void {
      const parsed = parseVaultPath(name);
      if (!parsed.ok) throw new Error(parsed.reason);
      const file = { revision: null, size: 1, mtime: 1, ctime: 1, updated: null };
      states.set(parsed.path, { ...file, isRecorded: false, isGone: true });
    },
    async recordAt(time: number): Promise<number> {
      now = time;
      await recorder.record();
      return dueAt;
    },
  };
}

it('deletions that are noticed one after the other are recorded as one change', async () => {
  const recorder = createRecorder();
  recorder.delete('a.md');
  expect(await recorder.recordAt(0)).toBe(graceMs);
  recorder.delete('b.md');
  // 15 later than the first one, for which alone the wait would be over at 20.
  expect(await recorder.recordAt(15)).toBe(15 + graceMs);
  expect(await recorder.recordAt(graceMs)).toBe(15 + graceMs);
  expect(recorder.recorded).toEqual([]);
  await recorder.recordAt(15 + graceMs);
  expect(recorder.recorded).toEqual([['vault/a.md', 'vault/b.md']]);
});

it('a deletion is recorded after five times the wait, even if others follow without a pause', async () => {
  const recorder = createRecorder();
  for (let time = 0; time < 5 * graceMs; time += graceMs / 2) {
    recorder.delete(`${time}.md`);
    await recorder.recordAt(time);
  }
  expect(recorder.recorded).toEqual([]);
  await recorder.recordAt(5 * graceMs);
  expect(recorder.recorded).toHaveLength(1);
});
