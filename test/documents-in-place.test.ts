import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import { pdfOf } from './pdf-of.ts';
import { temporaryVault } from './temporary-vault.ts';
import type { Files, TestVault } from './temporary-vault.ts';

const offer = pdfOf('Fourteen cabinets of oak', 'The worktop is made of soapstone');

async function vaultWith(files: Files): Promise<TestVault> {
  const vault = await temporaryVault(files);
  await readDocuments(vault);
  return vault;
}

async function readDocuments({ keepsake }: TestVault): Promise<number> {
  await keepsake.search.prepare('fast');
  return keepsake.search.indexDocuments({ signal: new AbortController().signal });
}

const search = (vault: TestVault, query: string, reader?: 'model' | 'person'): Promise<string> =>
  vault.text('search', { queries: [query] }, reader);

/** Makes the index look as versions before the current table of documents left it. */
function restoreFormerTable(state: string): void {
  const file = readdirSync(state, { recursive: true })
    .map((name) => join(state, String(name)))
    .find((name) => name.endsWith('index.sqlite'));
  const database = new Database(file);
  database.exec(`drop table keepsake_document_texts;
    create table keepsake_documents (revision text primary key, text text not null) without rowid;
    insert into keepsake_documents select revision, 'soapstone, as read before' from keepsake_files`);
  database.close();
}

describe('documents in the folder of a vault', () => {
  it('are found by the text of a page, and nothing is written next to them', async () => {
    const vault = await vaultWith({ 'Kitchen.md': '# Kitchen\n', 'Attachments/offer.pdf': offer });
    for (const reader of ['person', 'model'] as const) {
      const text = await search(vault, 'soapstone worktop', reader);
      expect(text).toContain('vault/Attachments/offer.pdf');
      expect(text).toContain('| # Page 2');
      expect(text).toContain('The worktop is made of soapstone');
    }
    expect(readdirSync(join(vault.folder, 'Attachments'))).toEqual(['offer.pdf']);
  });

  it('are counted as not indexed until they are read, and read once', async () => {
    const vault = await temporaryVault({ 'offer.pdf': offer, 'list.csv': 'item,price\nsoapstone,900\n' });
    const outcome = await vault.call('search', { queries: ['soapstone'] });
    expect(outcome).toMatchObject({ result: { value: { unreadDocuments: 2, pending: 2 } } });
    expect(await readDocuments(vault)).toBe(2);
    const text = await search(vault, 'soapstone');
    expect(text).toContain('vault/offer.pdf');
    expect(text).toContain('vault/list.csv');
  });

  it('are found by their new text only after they changed, and no longer after they are removed', async () => {
    const vault = await vaultWith({ 'offer.pdf': offer });
    writeFileSync(join(vault.folder, 'offer.pdf'), pdfOf('The worktop is made of granite'));
    expect(await search(vault, 'soapstone')).not.toContain('vault/offer.pdf');
    await readDocuments(vault);
    expect(await search(vault, 'granite')).toContain('vault/offer.pdf');
    expect(await search(vault, 'soapstone')).not.toContain('vault/offer.pdf');
    rmSync(join(vault.folder, 'offer.pdf'));
    expect(await search(vault, 'granite')).not.toContain('vault/offer.pdf');
  });

  it('stay found after they are moved', async () => {
    const vault = await vaultWith({ 'offer.pdf': offer });
    renameSync(join(vault.folder, 'offer.pdf'), join(vault.folder, 'kitchen.pdf'));
    await readDocuments(vault);
    expect(await search(vault, 'soapstone')).toContain('vault/kitchen.pdf');
  });

  it('are found by their name if they have no text', async () => {
    const vault = await vaultWith({ 'Passport scan.pdf': Buffer.from('%PDF-1.4\nstartxref\n') });
    expect(await search(vault, 'passport')).toContain('vault/Passport scan.pdf');
  });

  it('are not found beside the note that was converted from them', async () => {
    const vault = await vaultWith({
      'bucket/offer.pdf': offer,
      'bucket/offer.md': '---\noriginal: offer.pdf\n---\n\nThe worktop is made of soapstone\n',
    });
    const text = await search(vault, 'soapstone');
    expect(text).toContain('vault/bucket/offer.md');
    expect(text).not.toContain('vault/bucket/offer.pdf');
  });

  it('are read again when the index is of an earlier version', async () => {
    const vault = await vaultWith({ 'offer.pdf': offer, 'a.md': 'soapstone\n' });
    await vault.keepsake.close();
    restoreFormerTable(vault.state);
    const again = await openKeepsake({
      vault: vault.folder,
      state: vault.state,
      environment: readEnvironment({ PATH: process.env['PATH'] }),
    });
    onTestFinished(async () => void (await again.close()));
    const { files, sections } = await again.search.prepare('fast');
    expect({ files, sections }).toEqual({ files: 0, sections: 0 });
    expect(await readDocuments({ ...vault, keepsake: again })).toBe(1);
    const found = await again.readRun('person').search({ queries: ['soapstone'], mode: 'fast' });
    expect(found).toMatchObject({ kind: 'found', waitingDocuments: 0 });
    expect(found.kind === 'found' && found.passages.map(({ path }) => path).toSorted()).toEqual([
      'vault/a.md',
      'vault/offer.pdf',
    ]);
  });
});
