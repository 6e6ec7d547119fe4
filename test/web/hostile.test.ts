import { describe, expect, it } from 'vitest';
import { isNightly, sampleOf } from '../sample-of.ts';
import { hostileNotes } from './hostile-notes.ts';
import { hasChromium, openWeb } from './open-web.ts';

/** Counts elements that no note may add to the page. Diagrams have inline styles, so these are checked for external references. */
const forbidden = `[...document.querySelectorAll('article :is(script, iframe, object, embed, form, style, foreignObject, image, [onload], [onerror], [onclick], [ontoggle])'),
  ...document.querySelectorAll('article :is(svg, [style]):not(.marked, .lucide, .diagram *)'),
  ...[...document.querySelectorAll('article .diagram *')].filter((one) => /url\\((?!["\\']?#)/.test(one.getAttribute('style') ?? ''))].length`;

describe.skipIf(!hasChromium)('hostile notes', () => {
  it('run no scripts and send no requests to other hosts', { timeout: 600_000 }, async () => {
    const notes = sampleOf(hostileNotes(), 6);
    expect(notes.length).toBeGreaterThanOrEqual(isNightly ? 200 : 30);
    const files = Object.fromEntries(
      notes.map((text, index) => [`hostile/n${String(index).padStart(3, '0')}.md`, text]),
    );
    const { page, server, context, browserErrors } = await openWeb(files, { path: '/answers' });
    const outside: string[] = [];
    const dialogs: string[] = [];
    context.on('request', (request) => {
      if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith('blob:'))
        outside.push(request.url());
    });
    context.on('page', (opened) => outside.push(`window: ${opened.url()}`));
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.evaluate('window.ran = []; window.alert = (x) => window.ran.push(x);');
    let [left, drawn] = [0, 0];
    for (const [path, text] of Object.entries(files)) {
      // Navigates within the page, as a click does, so that leftovers of one note would affect the next.
      await page.evaluate(
        `history.pushState({}, '', ${JSON.stringify(`/file/${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      // The heading may be any title that the note gives itself; the name of the file is above it.
      await page.getByRole('main').getByText(path.slice(8), { exact: true }).first().waitFor();
      const article = page.getByRole('article');
      await article.waitFor({ state: 'attached' });
      if (text.startsWith('```mermaid')) {
        await article.locator('pre').first().waitFor({ state: 'attached' });
        await article.locator('[aria-busy=true]').waitFor({ state: 'detached' });
        drawn += await article.locator('.diagram svg').count();
      } else if (text.includes('$'))
        await article.locator('.formula, p').first().waitFor({ state: 'attached' });
      left += (await page.evaluate(forbidden)) as number;
    }
    // Harmless diagrams are still rendered.
    expect(drawn).toBeGreaterThan(isNightly ? 10 : 1);
    expect(await page.evaluate('window.ran')).toEqual([]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(dialogs).toEqual([]);
    expect(outside).toEqual([]);
    expect(page.url()).toContain(server.url);
    // Nothing was left for the content security policy to block.
    expect(browserErrors.filter((line) => /Content.Security.Policy|script/i.test(line))).toEqual([]);
    expect(left).toBe(0);
  });
});
