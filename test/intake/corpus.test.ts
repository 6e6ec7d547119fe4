import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { imageSize } from 'image-size';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIntake } from '../../packages/vault/src/intake/index.ts';
import type { Conversion, Rejection } from '../../packages/vault/src/intake/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { missing } from '../missing.ts';
import { temporaryVault } from '../temporary-vault.ts';
import { chapters, paragraphs, sentence } from './corpus/long-story.ts';
import { makeCorpus } from './corpus/make-corpus.ts';
import { outlineOf } from './corpus/outline.ts';

const folder = mkdtempSync(join(tmpdir(), 'keepsake-corpus-'));
const intake = createIntake();
const web = join(import.meta.dirname, 'corpus/sources/web');
const expected = (kind: string, name: string): string =>
  readFileSync(join(import.meta.dirname, `corpus/expected/${kind}/${name}.md`), 'utf8').trimEnd();

async function takeIn(path: string): Promise<Conversion | Rejection> {
  const { outcome } = await intake.takeIn({ name: basename(path), bytes: readFileSync(path) }, () => 'stem');
  return outcome;
}

async function convert(path: string): Promise<Conversion> {
  const outcome = await takeIn(path);
  if (outcome.kind === 'refused') throw new Error(`${basename(path)} was refused: ${outcome.reason}`);
  return outcome;
}

const unmade = missing('LibreOffice', 'Chromium');

beforeAll(async () => {
  if (unmade === null) await makeCorpus(folder);
}, 120_000);

afterAll(() => {
  intake.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(unmade)('a document in a vault', () => {
  it('is read with the lines that search cites', async () => {
    const names = readdirSync(folder).filter((name) => /\.(?:pdf|docx)$/.test(name));
    const vault = await temporaryVault(
      Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])),
    );
    const { search } = vault.keepsake;
    await search.prepare('fast');
    await search.indexDocuments({ signal: new AbortController().signal });
    const run = vault.keepsake.readRun('person');
    const cited: string[] = [];
    for (const name of names) {
      const read = await vault.keepsake.readText(`vault/${name}` as VaultPath);
      if (read.kind === 'failed') continue;
      const lines = read.text.split('\n');
      const longest = lines.toSorted((a, b) => b.length - a.length)[0] ?? '';
      const queries = [longest.replaceAll(/[^\p{L}\d]+/gu, ' ').slice(0, 200)];
      const found = await run.search({ queries, mode: 'fast', scopes: [name] });
      for (const { path, lines: range, shownLines } of found.kind === 'found' ? found.passages : []) {
        cited.push(name);
        expect(shownLines).toEqual(lines.slice(range.start - 1, range.end));
        const text = await vault.text('read', { paths: `${path}:${range.start}-${range.end}` }, 'person');
        expect(text).toContain(`${range.start}`.padEnd(2));
        expect(await vault.keepsake.verify(text)).toMatchObject([{ path, state: 'same' }]);
      }
    }
    const unread = names.filter((name) => !cited.includes(name));
    expect(unread).toEqual(['empty.docx', 'empty.pdf', 'locked.pdf', 'scan.pdf']);
  }, 120_000);
});

describe.skipIf(unmade)('a DOCX', () => {
  it.each(['book', 'compte-rendu', 'contrat', 'cv', 'languages', 'lettre', 'recette', 'report', 'revised'])(
    'is converted as expected: %s',
    async (name) => {
      expect((await convert(join(folder, `${name}.docx`))).markdown).toBe(expected('docx', name));
    },
  );

  it('has a title, an author and a date', async () => {
    expect((await convert(join(folder, 'report.docx'))).metadata).toEqual({
      type: 'docx',
      title: 'Bicycle counts on the river path',
      author: 'Ingrid Solberg',
      date: '2024-11-05T09:00:00',
    });
  });

  it('keeps its images', async () => {
    const { images } = await convert(join(folder, 'report.docx'));
    expect(images.map(({ name }) => name)).toEqual(['stem-1.png']);
    expect(imageSize(images[0]?.bytes ?? new Uint8Array())).toMatchObject({
      width: 60,
      height: 40,
      type: 'png',
    });
  });

  it('has a warning about omitted comments', async () => {
    expect((await convert(join(folder, 'revised.docx'))).warnings).toEqual(['Comments were omitted (1).']);
  });

  it('is rejected when it is empty', async () => {
    expect(await takeIn(join(folder, 'empty.docx'))).toMatchObject({ kind: 'refused', code: 'empty' });
  });
});

describe('a web page', () => {
  it.each(['album', 'blog', 'documentation', 'essai', 'forum', 'journal-local', 'tableaux', 'wiki'])(
    'is reduced to its article: %s',
    async (name) => {
      expect((await convert(join(web, `${name}.html`))).markdown).toBe(expected('html', name));
    },
  );

  it('has a title, an author and a date', async () => {
    expect((await convert(join(web, 'journal-local.html'))).metadata).toEqual({
      type: 'html',
      title: 'Le pont de la Guillotière rouvre aux vélos',
      author: 'Nadia Cherif',
      date: '2025-05-12T07:45:00',
    });
  });

  it('keeps embedded images, and downloads none', async () => {
    const { images, warnings } = await convert(join(web, 'album.html'));
    expect(images.map(({ name }) => name)).toEqual(['stem-1.png']);
    expect(warnings).toEqual(['One image on the web was not downloaded.']);
  });

  it('is rejected when its content needs a script', async () => {
    expect(await takeIn(join(web, 'empty.html'))).toMatchObject({ kind: 'refused', code: 'empty' });
  });
});

describe.skipIf(unmade)('a PDF', () => {
  it.each(['compte-rendu', 'contrat', 'cv', 'form', 'lettre', 'recette', 'report', 'table'])(
    'from an office program keeps its headings, lists, tables and links: %s',
    async (name) => {
      const { markdown } = await convert(join(folder, `${name}.pdf`));
      expect(outlineOf(markdown)).toEqual(outlineOf(expected('pdf', name)));
    },
  );

  it.each(['invoice', 'journal', 'manual', 'profile', 'releve', 'shalom'])(
    'from a browser is converted by its layout: %s',
    async (name) => {
      const { markdown } = await convert(join(folder, `${name}.pdf`));
      expect(outlineOf(markdown)).toEqual(outlineOf(expected('pdf', name)));
    },
  );

  it.each(['invoice', 'journal', 'manual', 'profile', 'shalom'])(
    'is converted by its tags if it has any: %s',
    async (name) => {
      const { markdown } = await convert(join(folder, `${name}-tagged.pdf`));
      expect(outlineOf(markdown)).toEqual(outlineOf(expected('pdf', name)));
    },
  );

  it.each(['compte-rendu', 'cv', 'report'])(
    'from an office program may also be converted by its tags: %s',
    async (name) => {
      const { markdown } = await convert(join(folder, `tagged/${name}.pdf`));
      expect(outlineOf(markdown)).toEqual(outlineOf(expected('pdf', name)));
    },
  );

  it('has a title, an author, a date and a number of pages', async () => {
    expect((await convert(join(folder, 'contrat.pdf'))).metadata).toEqual({
      type: 'pdf',
      title: 'Contrat de location saisonnière',
      author: 'Étude Garnier',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      pages: 1,
    });
  });

  it('keeps its images in their place', async () => {
    const { images, markdown } = await convert(join(folder, 'report.pdf'));
    expect(images.map(({ name }) => name)).toEqual(['stem-1.png']);
    expect(imageSize(images[0]?.bytes ?? new Uint8Array()).type).toBe('png');
    expect(markdown).toMatch(/\| 1,236 \|\n\n!\[\]\(stem-1\.png\)\n\n## What follows/);
  });

  it('that is a scan becomes an image, with a warning', async () => {
    const { markdown, images, warnings } = await convert(join(folder, 'scan.pdf'));
    expect(markdown).toBe('![Page 1](stem-1.png)');
    expect(imageSize(images[0]?.bytes ?? new Uint8Array())).toMatchObject({ width: 992, type: 'png' });
    expect(warnings).toEqual(['Page 1 is an image; its text cannot be searched.']);
  });

  it('with a scan among its pages keeps text and image in order', async () => {
    const { markdown, metadata, warnings } = await convert(join(folder, 'mixed.pdf'));
    expect(markdown).toBe(expected('pdf', 'mixed'));
    expect(metadata.pages).toBe(3);
    expect(warnings).toEqual(['Page 2 is an image; its text cannot be searched.']);
  });

  it('with many pages loses no line and keeps no header', async () => {
    const { markdown, metadata } = await convert(join(folder, 'long.pdf'));
    expect(metadata.pages).toBeGreaterThan(40);
    expect(markdown.match(/^## Chapter \d+$/gm)).toHaveLength(chapters);
    expect(markdown.match(/The long crossing/g)).toHaveLength(1);
    expect(markdown).not.toContain('Page ');
    const blocks = markdown.split('\n\n').filter((block) => !block.startsWith('#'));
    expect(blocks).toHaveLength(chapters * paragraphs);
    expect(blocks[chapters * paragraphs - 1]).toContain(
      `${sentence(chapters, paragraphs, 6)} ${sentence(chapters, paragraphs, 7)}`,
    );
  });

  it('without text and images is rejected', async () => {
    expect(await takeIn(join(folder, 'empty.pdf'))).toMatchObject({ kind: 'refused', code: 'empty' });
  });

  it('with a password is rejected', async () => {
    expect(await takeIn(join(folder, 'locked.pdf'))).toMatchObject({ kind: 'refused', code: 'encrypted' });
  });

  it('that is damaged is rejected', async () => {
    const bytes = readFileSync(join(folder, 'contrat.pdf')).subarray(0, 900);
    const { outcome } = await intake.takeIn({ name: 'contrat.pdf', bytes }, () => 'stem');
    expect(outcome).toMatchObject({ kind: 'refused', code: 'damaged' });
  });

  it('with too many pages is rejected, and the reason states their number', async () => {
    const strict = createIntake({ limits: { pages: 10 } });
    const bytes = readFileSync(join(folder, 'long.pdf'));
    const { outcome } = await strict.takeIn({ name: 'long.pdf', bytes }, () => 'stem');
    strict.close();
    expect(outcome).toMatchObject({
      kind: 'refused',
      code: 'too-large',
      reason: expect.stringMatching(/^the document has \d+ pages; split it/),
    });
  });
});
