import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConcatValue, ReadValue } from '../packages/vault/src/contract/index.ts';
import type { ToolOutcome } from '../packages/vault/src/tools/index.ts';
import { docx, paragraph } from './intake/hostile/docx-file.ts';
import { lockedPdf } from './intake/hostile/locked-pdf.ts';
import { onePage, stream } from './intake/hostile/pdf-file.ts';
import { pdfOf } from './pdf-of.ts';
import { temporaryVault } from './temporary-vault.ts';
import type { TestVault } from './temporary-vault.ts';

const offer = pdfOf(
  ['Fourteen cabinets of oak', 'Handles of brass'],
  ['The worktop is made of soapstone', 'Delivery in May'],
);

const mail = [
  'From: Ingrid <ingrid@example.com>',
  'To: Ola <ola@example.com>',
  'Subject: Worktop',
  'Date: Mon, 14 Jul 2025 10:00:00 +0200',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'The worktop is made of soapstone.',
].join('\r\n');

/** A document of each kind that search reads, with the word soapstone. */
const kinds = {
  'offer.pdf': offer,
  'offer.docx': docx(paragraph('Fourteen cabinets') + paragraph('The worktop is made of soapstone')),
  'offer.html':
    '<!doctype html><html><body><h1>Offer</h1><p>Fourteen cabinets</p><p>A worktop of soapstone</p></body></html>',
  'offer.eml': mail,
  'old.txt': Buffer.from('Küche\nDie Platte ist aus soapstone\n', 'latin1'),
  'old.csv': Buffer.from('item,price\nKüche,1\nsoapstone,900\n', 'latin1'),
};

/** Text files that search reads as they are. */
const plain = {
  'list.csv': 'item,price\n"oak, two\nparts",3\nsoapstone,900\n',
  'list.txt': '\n\n  Fourteen cabinets\r\nsoapstone\n',
};

async function indexed(vault: TestVault): Promise<TestVault> {
  await vault.keepsake.search.prepare('fast');
  await vault.keepsake.search.indexDocuments({ signal: new AbortController().signal });
  return vault;
}

type Section = {
  path: string;
  revision: string;
  text: string;
  lines: { start: number; end: number };
  extracted?: { pages: { start: number; end: number } | null };
};

async function find(vault: TestVault, query: string): Promise<Section[]> {
  const outcome = await vault.call('search', { queries: [query] });
  return (valueOf(outcome) as unknown as { sections: Section[] }).sections;
}

function valueOf(outcome: ToolOutcome): { errors: { path: string; message: string }[] } {
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.result.value;
}

/** The numbered lines between the fences of the first block. */
function linesIn(text: string): string {
  return text.split('\n').slice(1, text.split('\n').indexOf('```', 1)).join('\n');
}

const errorOf = async (vault: TestVault, tool: string, input: unknown): Promise<string> =>
  valueOf(await vault.call(tool, input))
    .errors.map(({ message }) => message)
    .join();

describe('every kind of document that search reads', () => {
  it('is read and quoted with the lines that search cites', async () => {
    const vault = await indexed(await temporaryVault({ ...kinds, ...plain }));
    const sections = await find(vault, 'soapstone');
    const names = [...Object.keys(kinds), ...Object.keys(plain)].map((name) => `vault/${name}`);
    expect(sections.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    for (const { path, lines, text, revision } of sections) {
      expect(text).toContain('soapstone');
      const range = `${lines.start}-${lines.end}`;
      const read = await vault.text('read', { paths: `${path}:${range}` });
      expect(linesIn(read)).toBe(text);
      expect(linesIn(await vault.text('concat', { files: [{ path, lines: range }] }))).toBe(text);
      const whole = await vault.call('read', { paths: path });
      expect((valueOf(whole) as ReadValue).files).toMatchObject([{ path, revision }]);
      expect(await vault.text('read', { paths: path })).toContain(text);
    }
  });

  it('is marked as extracted, unless its lines are those of the file', async () => {
    const vault = await indexed(await temporaryVault({ ...kinds, ...plain }));
    const sections = await find(vault, 'soapstone');
    for (const { path, extracted } of sections) {
      const isPlain = path.slice('vault/'.length) in plain;
      const text = await vault.text('read', { paths: path });
      expect(text.includes(`note: ${path}: extracted text`)).toBe(!isPlain);
      expect(extracted !== undefined).toBe(!isPlain);
    }
    expect(await vault.text('read', { paths: 'list.txt' })).toBe(
      '```vault/list.txt\n1  |\n2  |\n3  |   Fourteen cabinets\n4  | soapstone\n```',
    );
  });
});

describe('the images of a document', () => {
  it('are left out of its text, apart from their descriptions', async () => {
    const pixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const page = `<html><body><p>Harbour</p><img src="${pixel}" alt="A drawing"><img src="https://elsewhere.test/a.png" alt="A photo"></body></html>`;
    const vault = await temporaryVault({ 'page.html': page });
    const text = await vault.text('read', { paths: 'page.html' });
    expect(text).toContain('Harbour');
    expect(text).not.toContain('![');
    expect(text).toMatch(/```\n\nnote: vault\/page\.html: extracted text$/);
  });
});

describe('a PDF', () => {
  it('is read with its pages before it is indexed', async () => {
    const vault = await temporaryVault({ 'Attachments/offer.pdf': offer });
    expect(await vault.text('read', { paths: 'Attachments/offer.pdf' }))
      .toBe(`\`\`\`vault/Attachments/offer.pdf
1  | # Page 1
2  |
3  | Fourteen cabinets of oak
4  |
5  | Handles of brass
6  |
7  | # Page 2
8  |
9  | The worktop is made of soapstone
10 |
11 | Delivery in May
\`\`\`

note: vault/Attachments/offer.pdf: extracted text, pages 1-2 of 2`);
  });

  it('is read in part with the page of the lines', async () => {
    const vault = await temporaryVault({ 'offer.pdf': offer });
    const parts = { 'offer.pdf:9-10': 'page 2', 'offer.pdf:3,9': 'pages 1, 2', 'offer.pdf:5-8': 'pages 1-2' };
    for (const [paths, pages] of Object.entries(parts))
      expect(await vault.text('read', { paths })).toContain(
        `note: vault/offer.pdf: extracted text, ${pages} of 2`,
      );
    const head = await vault.text('read', { paths: 'offer.pdf', head: 10 });
    expect(head).toContain('```vault/offer.pdf (lines 1-4 of 11)');
    expect(head).toContain('page 1 of 2');
    const tail = await vault.text('read', { paths: 'offer.pdf', tail: 5 });
    expect(tail).toContain('11 | Delivery in May');
    expect(tail).toContain('page 2 of 2');
    expect(await vault.text('read', { paths: 'offer.pdf', folded: true })).toContain('7  | # Page 2');
  });

  it('is never shown as bytes, even without binary ones or with another name', async () => {
    const text = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\nstartxref\n9\n%%EOF\n';
    const vault = await temporaryVault({ 'broken.pdf': text, 'report.log': text, 'plain.txt': offer });
    for (const path of ['broken.pdf', 'report.log']) {
      for (const tool of ['read', 'concat'])
        expect(await errorOf(vault, tool, tool === 'read' ? { paths: path } : { files: [{ path }] })).toMatch(
          /^the file is damaged; download it again/,
        );
      expect(await vault.text('read', { paths: `${path}:1-2` })).not.toContain('%PDF');
    }
    expect(await vault.text('read', { paths: 'plain.txt:9' })).toContain('soapstone');
  });

  it('is read again after it changed, and never with the lines of before', async () => {
    const vault = await indexed(await temporaryVault({ 'offer.pdf': offer }));
    expect(await vault.text('read', { paths: 'offer.pdf' })).toContain('soapstone');
    writeFileSync(join(vault.folder, 'offer.pdf'), pdfOf('The worktop is made of granite'));
    for (const text of [
      await vault.text('read', { paths: 'offer.pdf' }),
      await vault.text('concat', { files: [{ path: 'offer.pdf' }] }),
    ]) {
      expect(text).toContain('1  | The worktop is made of granite');
      expect(text).toContain('page 1 of 1');
      expect(text).not.toContain('soapstone');
    }
  });

  it('is extracted once, also by several readers at a time', async () => {
    const vault = await temporaryVault({ 'offer.pdf': offer });
    const read = (): Promise<string> => vault.text('read', { paths: 'offer.pdf' });
    const [first] = await Promise.all([read(), read(), indexed(vault)]);
    const stored = await vault.keepsake.search.withIndex(async ({ index }) => [...index.files().values()]);
    expect(stored).toHaveLength(1);
    // Without the converter, the stored text is all there is.
    vault.keepsake.documents.close();
    expect(await read()).toBe(first);
  });

  it('is mentioned, and not read, with the other files of its folder', async () => {
    const vault = await temporaryVault({ 'f/offer.pdf': offer, 'f/a.md': 'a\n', 'f/list.csv': 'b\n' });
    const text = await vault.text('read', { paths: 'f/' });
    expect(text).toBe(
      '```vault/f/a.md\n1  | a\n```\n\n```vault/f/list.csv\n1  | b\n```\n\n' +
        'note: vault/f/offer.pdf: a document; read it by its own path to see its text',
    );
  });

  it('is truncated for models, who get the rest by its lines', async () => {
    const pages = Array.from({ length: 120 }, (_, page) =>
      Array.from(
        { length: 16 },
        (_each, line) => `Page ${page + 1} line ${line} of the long inventory of the house and barn`,
      ),
    );
    const vault = await temporaryVault({ 'long.pdf': pdfOf(...pages) });
    const text = await vault.text('read', { paths: 'long.pdf' });
    expect(text.length).toBeLessThan(20_000 * 4);
    const [, first, last] = /omitted \(.*?\): vault\/long\.pdf:(\d+)-(\d+)/.exec(text) ?? [];
    expect(text).toMatch(/extracted text, pages 1-\d+ of 120/);
    const rest = await vault.text('read', { paths: `long.pdf:${first}-${last}` });
    expect(rest).toContain('Page 120 line 15');
    expect(await vault.text('read', { paths: 'long.pdf' }, 'person')).toContain('Page 120 line 15');
  });
});

describe('a document without text', () => {
  const scan = onePage(stream('0 0 0 rg 72 72 200 200 re f'));
  const documents = {
    'scan.pdf': scan,
    'locked.pdf': lockedPdf(),
    'broken.docx': Buffer.from('PK\x03\x04 cut off', 'latin1'),
    'huge.pdf': Buffer.concat([offer, Buffer.alloc(20_000_001)]),
  };
  const sentences = {
    'scan.pdf':
      'the document has no text; if its pages are scans, open the file itself or run text recognition (OCR) on it',
    'locked.pdf': 'the file is password-protected; save it without a password',
    'broken.docx': 'the file is incomplete; download it again',
    'huge.pdf': 'it is 20.0 MB, and documents over 20 MB are not read; split it',
  };

  it('says what is the matter and what to do, in one sentence', async () => {
    const vault = await temporaryVault(documents);
    for (const [path, sentence] of Object.entries(sentences)) {
      expect(await errorOf(vault, 'read', { paths: path })).toBe(sentence);
      expect(await errorOf(vault, 'read', { paths: `${path}:1-2` })).toBe(sentence);
      expect(await errorOf(vault, 'concat', { files: [{ path }] })).toBe(sentence);
    }
  });

  it('is found by its name, without lines that cannot be opened', async () => {
    const vault = await indexed(await temporaryVault(documents));
    for (const [path, sentence] of Object.entries(sentences)) {
      const text = await vault.text('search', { queries: [path.replace('.', ' ')] });
      expect(text).toContain(`[document vault/${path} · ${sentence}]`);
      expect(text).not.toContain(`vault/${path} (lines`);
    }
  });

  it('is part of an answer without a model only as a sentence', async () => {
    const vault = await indexed(await temporaryVault(documents));
    const { document, blocks } = await vault.keepsake.findLines('scan.pdf');
    expect(blocks.map(({ path }) => path)).not.toContain('vault/scan.pdf');
    expect(document).toContain(`error: vault/scan.pdf: ${sentences['scan.pdf']}`);
  });
});

describe('the text of a document', () => {
  it('is cited by an answer without a model', async () => {
    const vault = await indexed(await temporaryVault({ 'offer.pdf': offer, 'a.md': 'nothing\n' }));
    const { document, blocks, isCited } = await vault.keepsake.findLines('soapstone worktop');
    expect(isCited).toBe(true);
    expect(blocks).toMatchObject([{ path: 'vault/offer.pdf', extracted: { pages: { start: 1, end: 2 } } }]);
    expect(document).toContain('9  | The worktop is made of soapstone');
    expect(document).toMatch(
      /\n```\n\nnote: vault\/offer\.pdf: text extracted from the document, pages 1-2$/,
    );
  });

  it('can be checked later: the same, moved or changed', async () => {
    const vault = await temporaryVault({ 'offer.pdf': offer });
    const quoted = await vault.text('concat', { files: [{ path: 'offer.pdf', lines: '9' }] });
    const place = { path: 'vault/offer.pdf', start: 9, end: 9 };
    expect(await vault.keepsake.verify(quoted)).toEqual([{ ...place, state: 'same' }]);
    const page = ['Fourteen cabinets of oak', 'Handles of brass', 'Two drawers'];
    writeFileSync(join(vault.folder, 'offer.pdf'), pdfOf(page, 'The worktop is made of soapstone'));
    expect(await vault.keepsake.verify(quoted)).toEqual([
      { ...place, state: 'moved', now: { start: 11, end: 11 } },
    ]);
    writeFileSync(join(vault.folder, 'offer.pdf'), pdfOf('The worktop is made of granite'));
    expect(await vault.keepsake.verify(quoted)).toMatchObject([{ ...place, state: 'changed' }]);
  });

  it('is quoted from where it moved to since it was shown', async () => {
    const vault = await temporaryVault({ 'offer.pdf': offer });
    const call = (tool: string, input: unknown): Promise<ToolOutcome> =>
      vault.keepsake.callTool({ tool, input, reader: 'model', origin: 'test', run: 'one' });
    await call('read', { paths: 'offer.pdf' });
    writeFileSync(
      join(vault.folder, 'offer.pdf'),
      pdfOf(
        ['Fourteen cabinets of oak', 'Handles of brass', 'Two drawers'],
        'The worktop is made of soapstone',
      ),
    );
    const outcome = await call('concat', { files: [{ path: 'offer.pdf', lines: '9' }] });
    expect((valueOf(outcome) as ConcatValue).blocks).toMatchObject([{ start: 11, end: 11 }]);
  });

  it('cannot be changed by tools, not even after it was shown', async () => {
    const files = {
      'offer.pdf': '%PDF-1.4\nsoapstone\n',
      'offer.html': '<p>soapstone</p>\n',
      'list.csv': 'a,b\n',
    };
    const vault = await temporaryVault(files);
    for (const [path, content] of Object.entries(files).slice(0, 2)) {
      for (const [tool, input] of Object.entries({
        edit: { path, old: content.trim().split('\n').at(-1), new: 'granite' },
        append: { path, content: 'granite', position: 'bottom' },
        write: { path, content: 'granite\n' },
      })) {
        const run = 'one';
        await vault.keepsake.callTool({
          tool: 'read',
          input: { paths: path },
          reader: 'model',
          origin: 't',
          run,
        });
        const outcome = await vault.keepsake.callTool({ tool, input, reader: 'model', origin: 't', run });
        expect(valueOf(outcome).errors[0]?.message).toBe(
          'its lines are extracted from a document and cannot be changed; change it in the program that made it, or write a note about it',
        );
      }
      expect(readFileSync(join(vault.folder, path), 'utf8')).toBe(content);
    }
  });

  it('leaves the folder of the vault as it is', async () => {
    const vault = await temporaryVault(kinds);
    const before = readdirSync(vault.folder, { recursive: true });
    for (const path of Object.keys(kinds)) await vault.text('read', { paths: path });
    expect(readdirSync(vault.folder, { recursive: true })).toEqual(before);
    for (const [path, content] of Object.entries(kinds))
      expect(readFileSync(join(vault.folder, path)).equals(Buffer.from(content))).toBe(true);
  });
});
