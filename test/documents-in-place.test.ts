import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helvetica, pdf, stream, words } from './intake/hostile/pdf-file.ts';
import { temporaryVault } from './temporary-vault.ts';
import type { Files, TestVault } from './temporary-vault.ts';

/** A PDF with a line of text on each page. */
function pdfOf(...pages: string[]): Buffer {
  const font = 3 + 2 * pages.length;
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${3 + 2 * index} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    ...pages.flatMap((line, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + 2 * index} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
      stream(words(line)),
    ]),
    helvetica,
  ]);
}

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

describe('documents in the folder of a vault', () => {
  it('are found by the text of a page, and nothing is written next to them', async () => {
    const vault = await vaultWith({ 'Kitchen.md': '# Kitchen\n', 'Attachments/offer.pdf': offer });
    for (const reader of ['person', 'model'] as const) {
      const text = await search(vault, 'soapstone worktop', reader);
      expect(text).toContain('vault/Attachments/offer.pdf');
      expect(text).toContain('Attachments › offer.pdf › Page 2');
      expect(text).toContain('The worktop is made of soapstone');
    }
    expect(readdirSync(join(vault.folder, 'Attachments'))).toEqual(['offer.pdf']);
  });

  it('are named as not indexed until they are read, and read once', async () => {
    const vault = await temporaryVault({ 'offer.pdf': offer, 'list.csv': 'item,price\nsoapstone,900\n' });
    expect(await search(vault, 'soapstone')).toContain('note: the text of 2 documents is not indexed yet');
    expect(await readDocuments(vault)).toBe(2);
    const text = await search(vault, 'soapstone');
    expect(text).toContain('vault/offer.pdf');
    expect(text).toContain('vault/list.csv');
    expect(text).not.toContain('not indexed yet');
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
});
