import { mkdirSync } from 'node:fs';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { findOverflow } from './find-overflow.ts';
import { sharedBrowser } from './shared-browser.ts';
import { startWebServer } from './web-server.ts';
import type { WebServer } from './web-server.ts';

export const hasChromium = missing('Chromium') === null;

type PageOptions = BrowserContextOptions & { path?: string };
type Options = PageOptions & { hasModel?: boolean; searchModels?: string };

/** The parts of a server that a browser needs. */
type Opened = Pick<WebServer, 'url' | 'link'>;

export type OpenedWeb<Server extends Opened = WebServer> = {
  server: Server;
  context: BrowserContext;
  page: Page;
  /** Console errors, uncaught exceptions and violations of the content security policy. */
  browserErrors: string[];
  go: (path: string) => Promise<void>;
};

/** Opens a signed-in browser on a real server with these files. */
export async function openWeb(files: Files, options: Options = {}): Promise<OpenedWeb> {
  const { hasModel = true, searchModels, ...pageOptions } = options;
  const server = await startWebServer(temporaryFolder(), files, { hasModel, searchModels });
  onTestFinished(() => server.close());
  return openPage(server, pageOptions);
}

/** Opens a signed-in browser on a running server. */
export async function openPage<Server extends Opened>(
  server: Server,
  options: PageOptions = {},
): Promise<OpenedWeb<Server>> {
  const { path = '/', ...contextOptions } = options;
  const { context, page, browserErrors } = await openBrowser(contextOptions);
  const go = async (to: string): Promise<void> => {
    await page.goto(`${server.url}${to}`);
    // On a phone it is hidden while a note is edited.
    const composer = page.getByRole('region', { name: /Composer|Saisie/, includeHidden: true });
    // The page of an answer has no composer.
    await (to.startsWith('/answers/')
      ? page.getByRole('main').waitFor()
      : composer.waitFor({ state: 'attached' }));
  };
  // Signs in with a request instead of opening the link in the page, which would load the interface twice.
  await context.request.get(server.link());
  await go(path);
  return { server, context, page, browserErrors, go };
}

/** Opens a new browser context without a session. */
export async function openBrowser(
  options: BrowserContextOptions = {},
): Promise<Pick<OpenedWeb, 'context' | 'page' | 'browserErrors'>> {
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
  const browserErrors: string[] = [];
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content.Security.Policy/i.test(message.text()))
      browserErrors.push(message.text());
  });
  return { context, page, browserErrors };
}

/** Saves a screenshot for reviewing a change in the folder `KEEPSAKE_SCREENSHOTS`, if it is set. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['KEEPSAKE_SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled', caret: 'hide' });
}

/** Checks that nothing overflows to the right, neither the page nor its containers, except for code and tables. */
export async function expectNoOverflow(page: Page): Promise<void> {
  expect(await findOverflow(page)).toEqual([]);
}

/** Whether the element is completely within the viewport and not covered by another one. */
export async function isInViewport(page: Page, part: Locator): Promise<boolean> {
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
