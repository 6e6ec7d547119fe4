import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { sharedBrowser } from '../../web/shared-browser.ts';
import { longStory } from './long-story.ts';

const sources = join(import.meta.dirname, 'sources');

/** Creates real documents from the sources with common office programs and browsers. */
export async function makeCorpus(folder: string): Promise<void> {
  await Promise.all([writeInOffice(folder), printInBrowser(folder)]);
}

async function writeInOffice(folder: string): Promise<void> {
  const pages = globSync(join(sources, 'office/*.html'));
  const texts = globSync(join(sources, 'office/*.fodt'));
  const [locked, tagged] = [join(folder, 'locked'), join(folder, 'tagged')];
  mkdirSync(locked);
  const asPage = ['--infilter=HTML (StarWriter)'];
  const password =
    '{"EncryptFile":{"type":"boolean","value":"true"},"DocumentOpenPassword":{"type":"string","value":"x"}}';
  await convert(folder, folder, 'docx:MS Word 2007 XML', pages, asPage);
  await convert(folder, folder, 'docx:MS Word 2007 XML', texts);
  await convert(folder, folder, 'pdf:writer_pdf_Export', pages, asPage);
  await convert(folder, folder, 'pdf:writer_pdf_Export', texts);
  await convert(
    folder,
    locked,
    `pdf:writer_pdf_Export:${password}`,
    [join(sources, 'office/lettre.html')],
    asPage,
  );
  const tags = '{"UseTaggedPDF":{"type":"boolean","value":"true"}}';
  await convert(folder, tagged, `pdf:writer_pdf_Export:${tags}`, pages, asPage);
  renameSync(join(locked, 'lettre.pdf'), join(folder, 'locked.pdf'));
}

async function convert(
  profile: string,
  into: string,
  to: string,
  files: string[],
  more: string[] = [],
): Promise<void> {
  const user = `-env:UserInstallation=file://${profile}/profile`;
  await promisify(execFile)('soffice', [
    '--headless',
    user,
    ...more,
    '--convert-to',
    to,
    '--outdir',
    into,
    ...files,
  ]);
}

async function printInBrowser(folder: string): Promise<void> {
  const browser = await sharedBrowser();
  const page = await browser.newPage({ viewport: { width: 794, height: 1123 } });
  try {
    for (const file of globSync(join(sources, 'print/*.html'))) {
      const name = basename(file, '.html');
      await page.setContent(readFileSync(file, 'utf8'));
      await print(page, join(folder, `${name}.pdf`));
      await print(page, join(folder, `${name}-tagged.pdf`), { tagged: true });
    }
    await printScans(page, folder);
    await page.setContent(longStory());
    await print(page, join(folder, 'long.pdf'), {
      displayHeaderFooter: true,
      headerTemplate: '<p style="font-size: 9px; margin-left: 2cm">The long crossing</p>',
      footerTemplate: '<p style="font-size: 9px; margin-left: 9cm">Page <span class="pageNumber"></span></p>',
    });
  } finally {
    await page.close();
  }
}

async function print(page: Page, path: string, options: Parameters<Page['pdf']>[0] = {}): Promise<void> {
  const [margin, format] = ['2cm', 'A4'];
  await page.pdf({
    path,
    format,
    margin: { top: margin, right: margin, bottom: margin, left: margin },
    ...options,
  });
}

/** Prints a document that is a single image, and one with an image between pages of text. */
async function printScans(page: Page, folder: string): Promise<void> {
  await page.setContent(readFileSync(join(sources, 'letter.html'), 'utf8'));
  const letter = await page.screenshot();
  writeFileSync(join(folder, 'letter.png'), letter);
  const scan = `<img src="data:image/png;base64,${letter.toString('base64')}">`;
  const [before = '', after = ''] = readFileSync(join(sources, 'letters.html'), 'utf8').split(
    '<!-- letter -->',
  );
  const [style = ''] = before.split('<body>');
  await page.setContent(`${style}<body>${scan}</body>`);
  await print(page, join(folder, 'scan.pdf'), { preferCSSPageSize: true });
  await page.setContent(`${before}${scan}${after}`);
  await print(page, join(folder, 'mixed.pdf'), { preferCSSPageSize: true });
}
