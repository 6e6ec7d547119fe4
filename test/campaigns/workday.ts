import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium } from '../missing.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import type { SeenRequest, Turn } from '../scripted-model/server.ts';
import { findViolations } from '../web/accessibility.ts';
import { findOverflow } from '../web/find-overflow.ts';
import { deadTabs } from './dead-tabs.ts';
import { end, makePlace, run, serve } from './program.ts';
import type { Service } from './program.ts';
import { createLedger, judgeWorkday } from './workday-oracle.ts';
import type { Fate, Ledger } from './workday-oracle.ts';
import { timeoutMs } from './workday-pages.ts';
import type { Tab } from './workday-pages.ts';
import { actOnce } from './workday-person.ts';
import type { Person } from './workday-person.ts';
import { words } from './workday-words.ts';

const restarts = ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const;
const maxProblems = 12;

/**
 * A user works for some minutes: writes, renames, deletes, ticks tasks, answers questions, searches and undoes, in six tabs and on a phone, in
 * English and French, while other programs write into the same notes and the server is restarted three times. Afterwards, everything that
 * was acknowledged must be on disk exactly once. Pages are checked for errors, overflow and accessibility in both themes.
 */
export async function workdayCampaign(minutes: number): Promise<number> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('Chromium is not installed');
  const seed = Number(process.env['SEED'] ?? 7);
  const { root, vault, state, place } = makePlace('workday');
  const ledger = createLedger();
  layOut(vault, ledger);
  const model = await startScriptedModel();
  model.respond(answerOf);
  const env = {
    ...processVariables,
    KEEPSAKE_MODEL: 'openai-compatible/test',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: 'test-key',
  };
  const report = createReport();
  let service = await serve(place, env);
  const port = new URL(service.url).port;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const started = performance.now();
  const isOver = (): boolean =>
    performance.now() - started > minutes * 60_000 || report.problems.length >= maxProblems;
  try {
    const tabs = await openTabs(browser, service, place, report);
    const editor = startEditor(vault, seed, ledger, report);
    const random = randomNumbers(seed);
    const person: Person = { vault, ledger, random, counts: {}, own: new Map(), number: 0 };
    const working = work(tabs, person, { report, isOver });
    for (const [index, signal] of restarts.entries()) {
      const at = started + ((index + 1) / (restarts.length + 1)) * minutes * 60_000;
      while (performance.now() < at && !isOver()) await sleep(100);
      report.beginOutage();
      await end(service, signal);
      await sleep(500 + random() * 4_000);
      service = await serve(place, env, port);
      // The menu of a phone with its files is closed.
      const desktop = tabs.filter(({ isPhone }) => !isPhone);
      report.problems.push(...(await deadTabs(desktop, vault, `0-restart-${index}.md`)));
      report.endOutage();
      console.log(`restart ${index + 1} with ${signal}: ${JSON.stringify(person.counts)}`);
    }
    await working;
    editor.stdin?.end();
    for (const tab of tabs.slice(-4)) await inspectAllViews(tab, report);
    // Answers may still be filed, and history still be recorded.
    const deadline = performance.now() + timeoutMs;
    while (judgeWorkday({ vault, state }, ledger).length > 0 && performance.now() < deadline)
      await sleep(1_000);
    report.beginOutage();
    await end(service, 'SIGTERM');
    report.problems.push(...judgeWorkday({ vault, state }, ledger));
    const length = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `workday: seed ${seed}, ${length} minutes, ${tabs.length} pages, ${restarts.length} restarts`,
    );
    console.log(`did: ${JSON.stringify(person.counts)}`);
    console.log(`tokens: ${ledger.summary()}`);
    console.log(`checked: ${report.summary()}`);
  } finally {
    await browser.close();
    await end(service, 'SIGTERM');
    await model.close();
    if (report.problems.length === 0) rmSync(root, { recursive: true, force: true });
    else console.log(`the vault and its state are in ${root}`);
  }
  for (const problem of report.problems) console.log(`FAILED: ${problem}`);
  return report.problems.length;
}

type Report = {
  problems: string[];
  /** Errors that a page logs while the server is stopped are expected. */
  beginOutage: () => void;
  endOutage: () => void;
  watch: (page: Page, name: string) => void;
  /** Records a failure, with a screenshot if `KEEPSAKE_SCREENSHOTS` is set. */
  fail: (tab: Tab, error: unknown) => Promise<void>;
  count: (what: string) => void;
  summary: () => string;
};

function createReport(): Report {
  const problems: string[] = [];
  const counts: Record<string, number> = {};
  let outageUntil = 0;
  const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
  const isExpected = (text: string): boolean => {
    // The campaign leaves a page with a draft before it has clicked there.
    if (text.startsWith("Blocked attempt to show a 'beforeunload' confirmation")) return true;
    // Chromium logs every response with an error status. The page shows a conflict, and a file that another tab renamed.
    if (!text.startsWith('Failed to load resource')) return false;
    // Other tests add and remove network interfaces of this machine.
    if (/status of (?:404|409|412)|net::ERR_NETWORK_CHANGED/.test(text)) return true;
    return performance.now() < outageUntil && /net::ERR_|status of 503/.test(text);
  };
  return {
    problems,
    beginOutage: () => void (outageUntil = Infinity),
    endOutage: () => void (outageUntil = performance.now() + 10_000),
    watch(page, name) {
      const fail = (what: string, text: string): void => {
        if (problems.length < maxProblems) problems.push(`${name}, ${what}: ${text.slice(0, 400)}`);
      };
      page.on('dialog', (dialog) => void dialog.accept());
      page.on('crash', () => fail('crash', page.url()));
      page.on('pageerror', (error) => fail('uncaught error', error.stack ?? error.message));
      page.on('console', (message) => {
        if (message.type() !== 'error' && !/Content.Security.Policy/i.test(message.text())) return;
        if (isExpected(message.text())) count('expected console lines');
        else fail('console', `${message.text()} ${message.location().url}`);
      });
    },
    async fail({ page, name }, error) {
      const shown = await page
        .getByRole('main')
        .innerText({ timeout: 5_000 })
        .catch(() => 'no page');
      const text = `${String(error).slice(0, 900)}\n  page: ${shown.replaceAll(/\s+/g, ' ').slice(0, 400)}`;
      problems.push(`${name} at ${page.url()}: ${text}`);
      console.log(problems.at(-1));
      const folder = process.env['KEEPSAKE_SCREENSHOTS'];
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, `workday-${problems.length}.png`) });
    },
    count,
    summary: () => JSON.stringify(counts),
  };
}

/** Three tabs on the desktop and a phone in each language. */
async function openTabs(browser: Browser, service: Service, place: string[], report: Report): Promise<Tab[]> {
  const desktop = { viewport: { width: 1440, height: 1_600 } };
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const contexts: [string, Tab['words'], number, BrowserContextOptions, boolean][] = [
    ['English', words.en, 3, { locale: 'en-GB', ...desktop }, false],
    ['French', words.fr, 3, { locale: 'fr-FR', ...desktop }, false],
    ['phone in English', words.en, 1, { locale: 'en-GB', ...phone }, true],
    ['phone in French', words.fr, 1, { locale: 'fr-FR', ...phone }, true],
  ];
  const tabs: Tab[] = [];
  for (const [language, text, count, options, isPhone] of contexts) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const link = tabs.length === 0 ? service.link : run(['open', ...place]).trim();
    for (let index = 0; index < count; index += 1) {
      const page = await context.newPage();
      page.setDefaultTimeout(timeoutMs);
      const name = isPhone ? language : `${language} tab ${index + 1}`;
      report.watch(page, name);
      if (index === 0) await page.goto(link);
      await page.goto(service.url);
      await page.getByRole('region', { name: text.composer }).waitFor();
      tabs.push({ name, page, words: text, isPhone });
    }
  }
  return tabs;
}

type Work = { report: Report; isOver: () => boolean };

/** Lets the user act in random tabs, and looks at the page after each action. */
async function work(tabs: readonly Tab[], person: Person, { report, isOver }: Work): Promise<void> {
  for (let index = 0; !isOver(); index += 1) {
    const tab = tabs[Math.floor(person.random() * tabs.length)] as Tab;
    try {
      const action = await actOnce(person, tab);
      report.problems.push(
        ...(await inspect(tab, action, index % 4 === 0 ? themes[(index / 4) % 2] : undefined)),
      );
      report.count('overflow');
      if (index % 4 === 0) report.count('axe');
    } catch (error) {
      await report.fail(tab, error);
      await tab.page.goto(new URL('/', tab.page.url()).href).catch(() => undefined);
    }
  }
}

const themes = ['light', 'dark'] as const;

/** What is wrong with the page as it is now. With a theme, it is also checked by axe in this theme. */
async function inspect(
  { page, name, words: text }: Tab,
  at: string,
  theme?: 'light' | 'dark',
): Promise<string[]> {
  const where = `${name} after ${at} at ${page.url()}`;
  const found = (await findOverflow(page)).map((each) => `${where}: overflow: ${each}`);
  if ((await page.getByText(text.broken).count()) > 0) found.push(`${where}: the view broke`);
  if (theme === undefined) return found;
  await page.emulateMedia({ colorScheme: theme });
  const violations = (await findViolations(page)).filter(
    ({ impact }) => impact === 'serious' || impact === 'critical',
  );
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
  return [...found, ...lines.map((line) => `${where} in ${theme}: ${line}`)];
}

const views = [
  '/',
  '/file/index.md',
  '/file/notes',
  '/file/none.md',
  '/inbox',
  '/activity',
  '/tasks',
  '/tasks?view=board',
  '/calendar',
  '/tags',
  '/answers',
  '/search?q=roof',
  '/settings',
];

/** Looks at every view in both themes. */
async function inspectAllViews(tab: Tab, report: Report): Promise<void> {
  for (const view of views) {
    try {
      await tab.page.goto(new URL(view, tab.page.url()).href);
      await tab.page.getByRole('main').getByRole('heading').first().waitFor();
      for (const theme of themes) {
        report.problems.push(...(await inspect(tab, view, theme)));
        report.count('views');
      }
    } catch (error) {
      await report.fail(tab, error);
    }
  }
}

/** Starts the process that writes beside the browser, and enters its tokens into the ledger. */
function startEditor(vault: string, seed: number, ledger: Ledger, report: Report): ChildProcess {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'workday-editor.mjs'), vault, String(seed)],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { token, fate } = JSON.parse(line) as { token: string; fate: Fate };
    ledger.expect(token, fate);
    report.count('outside edits');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => report.problems.push(`outside: ${text}`));
  return child;
}

function layOut(vault: string, ledger: Ledger): void {
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  const middle = Array.from({ length: 8 }, (_, line) => `Paragraph ${line} of the middle.\n`).join('\n');
  for (let note = 0; note < 8; note += 1) {
    put(`notes/garden-${note}.md`, `# Garden ${note}\n\n${middle}`);
    put(`fixed/house-${note}.md`, `# House ${note}\n\n${middle}\n## Outside\n\n${middle}`);
  }
  const links = Array.from(
    { length: 8 },
    (_, note) => `- [[garden-${note}]] and [it](notes/garden-${note}.md)`,
  );
  put('index.md', `# Index\n\n${links.join('\n')}\n`);
  put('roof.md', '# Roof\n\nThe roof leaks.\n');
  put('projects/roof/state.md', '# Roof\n\nIt leaks.\n');
  const jobs = (from: number): string =>
    Array.from({ length: 12 }, (_, job) => `job${100_000 + from + job}x`)
      .map((token) => (ledger.expect(token, 'open'), `- [ ] Job ${token}\n`))
      .join('');
  put('tasks.md', `# Tasks\n\n${jobs(0)}`);
  put('projects/roof/tasks.md', `# Tasks of the roof\n\n${jobs(100)}`);
}

/** Files the sentence of an update, and answers a question with a line that it finds. */
function answerOf({ toolNames, toolResults, userTexts }: SeenRequest): Turn {
  if (toolNames.includes('append')) {
    const sentence = /[^\n]*, says tok\d+x\./.exec(userTexts.join('\n'))?.[0];
    if (toolResults.length > 0 || sentence === undefined) return { text: 'Filed it under the roof.' };
    const path = 'vault/projects/roof/state.md';
    return { calls: [{ tool: 'append', input: { path, content: sentence, position: 'bottom' } }] };
  }
  if (toolResults.length === 0)
    return { calls: [{ tool: 'search', input: { queries: ['roof leaks'], mode: 'fast' } }] };
  const files = [{ path: 'vault/roof.md', lines: '1-8' }];
  return { text: 'The roof leaks. [1]', calls: [{ tool: 'concat', input: { files } }] };
}
