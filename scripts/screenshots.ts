// npm run pictures: takes the pictures of the documentation from the demonstration, always on the same day.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium } from '../test/missing.ts';

const folder = 'docs/images';
/** When the demonstration is created, and the time in the browser: late enough that everything has been recorded. */
const [created, shown] = ['2026-11-19 09:00:00', '2026-11-19T09:05:30Z'];

const executablePath = findChromium();
if (executablePath === null) throw new Error('Chromium is not installed');
const root = mkdtempSync(join(tmpdir(), 'keepsake-pictures-'));
const { server, link } = await startDemo();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const url = new URL(link).origin;
  const page = await openPage(browser, { viewport: { width: 1440, height: 800 } });
  await page.goto(link);
  await takePictures(page, url);
} finally {
  await browser.close();
  // faketime runs the program as its child.
  if (server.pid !== undefined) process.kill(-server.pid);
  rmSync(root, { recursive: true, force: true });
}

/** Starts the built program with a clock that begins on the same day each time. */
async function startDemo(): Promise<{ server: ChildProcess; link: string }> {
  const program = resolve('packages/vault/dist/cli/main.js');
  const command = [created, process.execPath, program, 'demo', join(root, 'keepsake-demo')];
  const env = { PATH: process.env['PATH'], HOME: root, XDG_CONFIG_HOME: join(root, 'config'), TZ: 'UTC' };
  const child = spawn('faketime', command, {
    env,
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  return new Promise((ready, fail) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /open (\S+)\n/.exec(said)?.[1];
      if (found !== undefined) ready({ server: child, link: found });
    });
    child.once('error', (cause) =>
      fail(new Error('the pictures need the Debian package faketime', { cause })),
    );
    child.once('close', () => fail(new Error(`the demonstration did not start: ${said}`)));
  });
}

async function openPage(from: Browser, options: BrowserContextOptions): Promise<Page> {
  const fixed = { locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' } as const;
  const page = await (await from.newContext({ ...fixed, ...options })).newPage();
  // Long, because the machine may be busy.
  page.setDefaultTimeout(180_000);
  // Only the date: the clock of Playwright also stops what the interface measures.
  await page.addInitScript(`{
    const RealDate = Date;
    const offset = RealDate.parse('${shown}') - RealDate.now();
    globalThis.Date = class extends RealDate {
      constructor(...values) {
        super(...(values.length === 0 ? [RealDate.now() + offset] : values));
      }
      static now() {
        return RealDate.now() + offset;
      }
    };
  }`);
  return page;
}

/** The home page, an answer and the activity, in light and dark. */
async function takePictures(page: Page, url: string): Promise<void> {
  const views: [name: string, path: string, ready: string][] = [
    ['home', '/', 'In this vault'],
    ['activity', '/activity', 'was replaced'],
    ['answer', '/answers', '(recorded)'],
  ];
  for (const [name, path, ready] of views) {
    await page.goto(`${url}${path}`);
    const found = page.getByRole('main').getByText(ready).first();
    await found.waitFor();
    // Parts of the page are loaded after its first lines.
    await page.waitForTimeout(2_000);
    if (name === 'answer') {
      await found.click();
      await page.getByText('Lines 25–29').waitFor();
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      writeFileSync(join(folder, `${name}-${colorScheme}-1440.webp`), await capture(page, 80));
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

/** WebP, which is a third of the size of PNG. */
async function capture(page: Page, quality: number): Promise<Buffer> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  await session.detach();
  return Buffer.from(data, 'base64');
}
