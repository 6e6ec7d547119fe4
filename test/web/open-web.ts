import { existsSync, mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';
import { startWebServer } from './web-server.ts';
import type { WebServer } from './web-server.ts';

const executablePath = process.env['KEEPSAKE_CHROMIUM'] ?? '/usr/bin/chromium';
export const hasChromium = existsSync(executablePath);
if (!hasChromium) console.log(`skipped: there is no chromium at ${executablePath}`);

type Options = BrowserContextOptions & {
  hasModel?: boolean;
  path?: string;
  prepare?: (folder: string) => void;
};

export type OpenedWeb = {
  server: WebServer;
  context: BrowserContext;
  page: Page;
  /** What the browser complained about: errors, and everything the policy of the page refused. */
  complaints: string[];
  go: (path: string) => Promise<void>;
};

/** A browser, signed in, on the real server over these files. */
export async function openWeb(files: Files, options: Options = {}): Promise<OpenedWeb> {
  const { hasModel = true, path = '/', prepare, ...contextOptions } = options;
  const root = temporaryFolder();
  prepare?.(root);
  const server = await startWebServer(root, files, { hasModel });
  onTestFinished(() => server.close());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({
    viewport: { width: 1440, height: 800 },
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...contextOptions,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content.Security.Policy/i.test(message.text()))
      complaints.push(message.text());
  });
  const go = async (to: string): Promise<void> => {
    await page.goto(`${server.url}${to}`);
    await page.getByRole('region', { name: /Composer|Saisie/ }).waitFor();
  };
  await page.goto(server.link());
  await go(path);
  return { server, context, page, complaints, go };
}

/** What the documentation shows; the others are for looking at after a change. */
const documented =
  /^(?:update|answer|inbox|conflict|history|composer|offline|french|(?:home|palette)-light-1440|state-(?:light|dark)-1440|(?:file|menu|inbox)-(?:light|dark)-360)$/;

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

/** Nothing is cut off at the right. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const width: unknown = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(width).toBeLessThanOrEqual(0);
}
