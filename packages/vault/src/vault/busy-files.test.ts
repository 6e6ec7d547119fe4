import { describe, expect, it } from 'vitest';
import { memoryDatabase } from '../../../../test/changes-database.ts';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { createCatalogue, createCatalogueStore, resolveRoot } from './index.ts';

const calls = interceptCalls();

describe('a file that another program holds while the vault is scanned', () => {
  it('stays listed and is not reported as removed', async () => {
    const folder = temporaryFolder();
    layOut(folder, { 'a.md': 'one\n', 'b.md': 'two\n' });
    const database = memoryDatabase();
    const catalogue = createCatalogue(
      resolveRoot(folder),
      createCatalogueStore(database, () => undefined),
      () => Date.now(),
    );
    await catalogue.refresh();
    layOut(folder, { 'a.md': 'longer than before\n' });
    calls.intercept = (name, [path]) =>
      name === 'openSync' && String(path).endsWith('a.md') ? 'EBUSY' : null;
    expect(await catalogue.refresh()).not.toContainEqual({ path: 'vault/a.md', record: null });
    expect([...(await catalogue.contents()).files.keys()]).toEqual(['a.md', 'b.md']);
    expect(catalogue.skipped().map(({ path }) => path)).toEqual(['vault/a.md']);
    calls.intercept = () => null;
    const changed = await catalogue.refresh();
    expect(changed.map(({ path }) => path)).toContain('vault/a.md');
    expect(catalogue.skipped()).toEqual([]);
  });
});
