import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import { findChromium } from '../missing.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { SeenRequest, Turn } from '../scripted-model/server.ts';
import { deadTabs } from './dead-tabs.ts';
import { end, makePlace, serve } from './program.ts';
import type { Service } from './program.ts';
import { createPerson } from './browser-person.ts';

/** Milliseconds between two restarts; a full run takes five minutes. */
const between = 15_000;
/** Timeout in milliseconds before a tab counts as dead; long, because the machine may be busy. */
const timeoutMs = 180_000;

/**
 * A user writes, asks, edits and answers at random in several tabs, while the server is stopped or killed and restarted. Everything typed is
 * in the vault or still in its input field, and every tab stays live.
 */
export async function browserCampaign(restarts: number, tabs = 20): Promise<number> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('Chromium is not installed');
  const { root, vault, place } = makePlace('browser');
  layOut(vault, tabs);
  const model = await startScriptedModel();
  model.respond(answerOf);
  const env = {
    ...processVariables,
    KEEPSAKE_MODEL: 'openai-compatible/test',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: 'test-key',
  };
  let service = await serve(place, env);
  const port = new URL(service.url).port;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const problems: string[] = [];
  const started = performance.now();
  try {
    // High enough for the whole tree, because only visible rows are in the page.
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 2_000 } });
    const pages = await openTabs(context, service, tabs);
    const named = pages.map((page, tab) => ({ name: `tab ${tab}`, page }));
    const random = randomNumbers(7);
    const person = createPerson({ pages, vault, random, timeoutMs });
    let isOver = false;
    const using = person.goOn(() => isOver);
    for (let restart = 0; restart < restarts; restart += 1) {
      await sleep(between * (0.1 + random() * 0.4));
      await end(service, restart % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      await sleep(random() * 3_000);
      service = await serve(place, env, port);
      problems.push(...(await deadTabs(named, vault, `restart-${restart}.md`)));
      console.log(`restart ${restart + 1} of ${restarts}: ${person.summary()}`);
      if (restart + 1 < restarts)
        await sleep(Math.max(0, (restart + 1) * between - (performance.now() - started)));
    }
    isOver = true;
    problems.push(...(await using), ...(await person.sendAllThatIsBegun()));
    const lost = await missing(vault, person.marks());
    problems.push(...lost.map((mark) => `${mark} is not in the vault`));
    problems.push(...(await deadTabs(named, vault, 'at-the-end.md')));
    const broken = await Promise.all(
      pages.map((page) => page.getByText('This page ran into a problem').count()),
    );
    if (broken.some((count) => count > 0)) problems.push('a view broke');
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `browser: ${tabs} tabs for ${minutes} minutes, ${restarts} restarts, ${person.summary()}; ${lost.length} lost`,
    );
    if (person.marks().length === 0) problems.push('nothing was done');
  } finally {
    await browser.close();
    await end(service, 'SIGTERM');
    await model.close();
    rmSync(root, { recursive: true, force: true });
  }
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  return problems.length;
}

function layOut(vault: string, tabs: number): void {
  for (let tab = 0; tab < tabs; tab += 1) {
    writeFileSync(join(vault, `note-${tab}.md`), `# Note ${tab}\n\nThe roof leaks.\n`);
    const item = join(vault, 'inbox', `2026-07-14-call-${tab}`);
    mkdirSync(item, { recursive: true });
    writeFileSync(join(item, 'review.md'), `# A call\n\n## Question\nIs it startup-${tab}?\n`);
  }
}

/** Answers a question with a line that it finds, and files the text of an update unchanged. */
function answerOf({ toolNames, toolResults }: SeenRequest): Turn {
  if (toolNames.includes('append')) return { text: 'Kept as it is.' };
  if (toolResults.length === 0)
    return { calls: [{ tool: 'search', input: { queries: ['roof'], mode: 'fast' } }] };
  const files = [{ path: 'vault/note-0.md', lines: '1-3' }];
  return { text: 'The roof leaks. [1]', calls: [{ tool: 'concat', input: { files } }] };
}

async function openTabs(context: BrowserContext, { link, url }: Service, tabs: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let tab = 0; tab < tabs; tab += 1) {
    const page = await context.newPage();
    page.setDefaultTimeout(timeoutMs);
    if (tab === 0) await page.goto(link);
    await page.goto(`${url}/file/note-${tab}.md`);
    await page.getByText('The roof leaks.').waitFor();
    pages.push(page);
  }
  return pages;
}

/**
 * The marks (unique strings in the typed texts) that are in no file. Waits, because some texts may still be in the
 * queue.
 */
async function missing(vault: string, marks: readonly string[]): Promise<string[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const texts = readdirSync(vault, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    const all = texts.join('\n');
    const left = marks.filter((mark) => !all.includes(mark));
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(500);
  }
}
