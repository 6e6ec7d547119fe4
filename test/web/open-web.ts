import { mkdirSync } from 'node:fs';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { sharedBrowser } from './shared-browser.ts';
import { startWebServer } from './web-server.ts';
import type { WebServer } from './web-server.ts';

export const hasChromium = missing('Chromium') === null;

type PageOptions = BrowserContextOptions & { path?: string };
type Options = PageOptions & { hasModel?: boolean; searchModels?: string };

/** What a browser needs of a server. */
type Opened = Pick<WebServer, 'url' | 'link'>;

export type OpenedWeb<Server extends Opened = WebServer> = {
  server: Server;
  context: BrowserContext;
  page: Page;
  /** What the browser complained about: errors, and everything the policy of the page refused. */
  complaints: string[];
  go: (path: string) => Promise<void>;
};

/** A browser, signed in, on the real server over these files. */
export async function openWeb(files: Files, options: Options = {}): Promise<OpenedWeb> {
  const { hasModel = true, searchModels, ...pageOptions } = options;
  const server = await startWebServer(temporaryFolder(), files, { hasModel, searchModels });
  onTestFinished(() => server.close());
  return openPage(server, pageOptions);
}

/** A browser, signed in, on a server that is there already. */
export async function openPage<Server extends Opened>(
  server: Server,
  options: PageOptions = {},
): Promise<OpenedWeb<Server>> {
  const { path = '/', ...contextOptions } = options;
  const { context, page, complaints } = await openBrowser(contextOptions);
  const go = async (to: string): Promise<void> => {
    await page.goto(`${server.url}${to}`);
    await page.getByRole('region', { name: /Composer|Saisie/ }).waitFor();
  };
  // Not in the page: it would load the interface once more.
  await context.request.get(server.link());
  await go(path);
  return { server, context, page, complaints, go };
}

/** A browser that nobody has used yet. */
export async function openBrowser(
  options: BrowserContextOptions = {},
): Promise<Pick<OpenedWeb, 'context' | 'page' | 'complaints'>> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 800 },
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content.Security.Policy/i.test(message.text()))
      complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** What the documentation shows; the others are for looking at after a change. */
const documented = /^(?:(?:home|file|answer|inbox|activity)-(?:light|dark)-1440|(?:home|answer)-light-360)$/;

/**
 * Keeps a picture when that is wanted: `KEEPSAKE_SCREENSHOTS=docs` for those in `docs/images`, any other folder for all.
 */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const wanted = process.env['KEEPSAKE_SCREENSHOTS'];
  if (wanted === undefined || (wanted === 'docs' && !documented.test(name))) return;
  const folder = wanted === 'docs' ? 'docs/images' : wanted;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled', caret: 'hide' });
}

/** Nothing is cut off at the right: neither by the page nor by what scrolls or hides within it, but for code and tables. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const cut: unknown = await page.evaluate(`[document.documentElement, ...document.querySelectorAll('*')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1)
    .filter((each) => each === document.documentElement || getComputedStyle(each).overflowX !== 'visible')
    .filter((each) => !each.closest('pre, .table, .truncate, .sr-only, .cm-scroller, input'))
    .map((each) => each.outerHTML.slice(0, 200))`);
  expect(cut).toEqual([]);
}

/** Whether a person sees it without scrolling: all of it is on the screen, and nothing lies over it. */
export async function isInSight(page: Page, part: Locator): Promise<boolean> {
  const box = await part.boundingBox();
  const screen = page.viewportSize();
  if (box === null || screen === null || box.y < 0 || box.y + box.height > screen.height) return false;
  const words = (await part.textContent()) ?? '';
  for (const y of [box.y + 2, box.y + box.height - 2]) {
    const seen: unknown = await page.evaluate(
      `document.elementFromPoint(${box.x + box.width / 2}, ${y})?.textContent ?? ''`,
    );
    if (typeof seen !== 'string' || seen === '' || !words.includes(seen)) return false;
  }
  return true;
}
