import { describe, expect, it } from 'vitest';
import { hostileNotes } from './hostile-notes.ts';
import { hasChromium, openWeb } from './open-web.ts';

describe.skipIf(!hasChromium)('200 hostile notes', () => {
  it('run no script and send no request anywhere else', { timeout: 600_000 }, async () => {
    const notes = hostileNotes();
    expect(notes.length).toBeGreaterThanOrEqual(200);
    const files = Object.fromEntries(
      notes.map((text, index) => [`hostile/n${String(index).padStart(3, '0')}.md`, text]),
    );
    const { page, server, context, complaints } = await openWeb(files, { path: '/developers/components' });
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
    for (const path of Object.keys(files)) {
      // Within the page, as a click does: what one note leaves behind would meet the next.
      await page.evaluate(
        `history.pushState({}, '', ${JSON.stringify(`/file/${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page
        .getByRole('heading', { level: 1, name: path.slice(8) })
        .first()
        .waitFor();
      await page.getByRole('article').waitFor();
    }
    await page.waitForTimeout(500);
    expect(await page.evaluate('window.ran')).toEqual([]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(dialogs).toEqual([]);
    expect(outside).toEqual([]);
    expect(page.url()).toContain(server.url);
    // Nothing even got as far as the policy.
    expect(complaints.filter((line) => /Content.Security.Policy|script/i.test(line))).toEqual([]);
    const left = (await page.evaluate(
      `[...document.querySelectorAll('article script, article iframe, article object, article embed, article form, article style, article svg, article [style]:not(.marked)')].length`,
    )) as number;
    expect(left).toBe(0);
  });
});
