import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDocumentTexts, createIndexer, openChunkIndex } from '../../packages/vault/src/search/index.ts';
import {
  createCatalogue,
  createCatalogueStore,
  createView,
  resolveRoot,
} from '../../packages/vault/src/vault/index.ts';
import { memoryDatabase } from '../changes-database.ts';
import { roomVault } from '../room-vault.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { departs } from './departs.ts';
import { exampleVault, statePath, tasksPath } from './example-vault.ts';

/** An index of a vault, and the files that were read to maintain it. */
async function indexedVault(files: Files) {
  const folder = join(temporaryFolder(), 'vault');
  mkdirSync(folder);
  layOut(folder, files);
  const root = resolveRoot(folder);
  // Files that changed a moment ago would be read again, because a change within the same tick has the same times.
  const clock = (): number => Date.now() + 3_600_000;
  const catalogue = createCatalogue(
    root,
    createCatalogueStore(memoryDatabase(), (error) => {
      throw error;
    }),
    clock,
  );
  const view = createView(root, catalogue);
  const index = await openChunkIndex(':memory:');
  onTestFinished(() => index.close());
  const texts = createDocumentTexts(index, async () => ({ kind: 'unavailable', reason: 'not in this test' }));
  const spy = vi.spyOn(view, 'withEntry');
  return {
    folder,
    indexer: createIndexer({ index, catalogue, view, clock, texts }),
    /** The files that were read since the last call. */
    takeReads: (): string[] => {
      const read = spy.mock.calls.map(([path]) => String(path));
      spy.mockClear();
      return read;
    },
  };
}

describe('incremental indexing', () => {
  it('C37 reads only the changed file after a write', async () => {
    const vault = await roomVault(exampleVault);
    const spy = vi.spyOn(vault.view, 'withEntry');
    await vault.text('search', { queries: ['actif'] });
    expect(new Set(spy.mock.calls.map(([path]) => path)).size).toBeGreaterThan(5);
    spy.mockClear();
    const input = { path: tasksPath, content: '# Zebra\nstatus: open', position: 'bottom' };
    await vault.callTool({ tool: 'append', input, reader: 'person', origin: 'test' });
    expect(new Set(spy.mock.calls.map(([path]) => path))).toEqual(new Set([tasksPath]));
    expect(await vault.text('search', { queries: ['zebra'] })).toContain('```vault/tasks.md (lines ');
  });

  it('C38 never reads all contents again, but compares sizes and times, because other programs edit files, too', async () => {
    const { folder, indexer, takeReads } = await indexedVault(exampleVault);
    expect((await indexer.reconcile()).files).toBe(takeReads().length);
    expect(await indexer.reconcile()).toEqual({ files: 0, sections: 0 });
    expect(takeReads()).toEqual([]);
    appendFileSync(join(folder, 'projects/startup-x/state.md'), '\n## Zebra\nstripes\n');
    expect((await indexer.reconcile()).files).toBe(1);
    expect(takeReads()).toEqual([statePath]);
    departs('C38', 'docs/adr/0095-departures-from-the-specification.md');
  });
});
