import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { looking } from '../agents/agent-vault.ts';
import { startScriptedModels } from '../local-models/server.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const path = 'projects/startup-x/changelog.md';
const files = {
  [path]:
    '# 2025-07-14\n\n## [decision] No external API\nThe supplier cannot deliver before June.\n\n# 2025-07-01\n\n## Began\nFirst day.\n',
};
const overview = 'The API is built in house.\nThe reason is in the changelog of startup-x.';

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('button', { name: 'Ask', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Ask your vault a question' }).fill(question);
  await page.keyboard.press('Control+Enter');
}

describe.skipIf(!hasChromium)('a question', () => {
  it('is answered in one line with links to the source lines, and the answer shows when they change', async () => {
    const { page, server, browserErrors } = await openWeb(files);
    server.model.script(
      { calls: [{ tool: 'search', input: { queries: ['supplier deliver'], mode: 'fast' } }] },
      {
        text: 'The API is built in house.',
        calls: [{ tool: 'concat', input: { files: [{ path: `vault/${path}`, lines: '3-4' }] } }],
      },
    );
    await ask(page, 'Why no external API?');
    const answer = page.getByText('The API is built in house.');
    await answer.waitFor();
    await page.getByText('The supplier cannot deliver before June.').waitFor();
    // The steps are below the answer, and the model is not asked for more than one line.
    const top = async (part: Locator): Promise<number> => (await part.boundingBox())?.y ?? Number.NaN;
    expect(await top(page.getByRole('button', { name: '2 steps' }))).toBeGreaterThan(await top(answer));
    expect(server.model.requests).toHaveLength(2);
    // A source of an answer that was just given has no state, and the only question field is that for a follow-up.
    expect(await page.getByText('Unchanged').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Ask a follow-up' }).waitFor();
    expect(await page.locator('#composer-text').count()).toBe(0);
    await saveScreenshot(page, 'answer');
    await page.getByRole('link', { name: 'Lines 3–4' }).click();
    await page.waitForURL(`**/file/${path}#L3-4`);
    await page.locator('.marked').waitFor();
    const marked = await page.locator('.marked').boundingBox();
    const line = await page.getByText('The supplier cannot deliver').boundingBox();
    expect(marked?.y).toBeLessThan(line?.y ?? 0);
    expect((marked?.y ?? 0) + (marked?.height ?? 0)).toBeGreaterThanOrEqual((line?.y ?? 0) + 10);
    await saveScreenshot(page, 'lines');
    // Lines that moved still match; lines that changed are marked.
    const file = join(server.folder, path);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `# 2025-07-20\n\nNew.\n\n${text}`);
    await page.getByText('New.').waitFor();
    await page.goBack();
    await page.getByText('Moved', { exact: true }).waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('before June', 'before May'));
    await page.getByText('Changed', { exact: true }).waitFor();
    // Shows both versions, and warns that the answer may be outdated.
    await page.getByText('1 of 1 source has changed').waitFor();
    await page.getByText('−The supplier cannot deliver before June.').waitFor();
    await page.getByText('+The supplier cannot deliver before May.').waitFor();
    await saveScreenshot(page, 'answer-changed');
    // After a reload, the answer is still there, and its lines are checked again.
    await page.reload();
    await page.getByText('The API is built in house.').waitFor();
    await page.getByText('Changed', { exact: true }).waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('before May', 'before June'));
    await page.reload();
    await page.getByText('Moved', { exact: true }).waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('is answered with long sources folded, ranges of one source together, and what they do not contain', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `| ${index + 1} | buoy ${index + 1} |`);
    const { page, server, browserErrors } = await openWeb({
      'table.md': `| n | what |\n| --- | --- |\n${rows.join('\n')}\n`,
      'other.md': 'first of two\nsecond of two\n',
    });
    const text = 'Buoy 7 costs 912 €. [1] The rest is here. [2][3]';
    const ranges = [
      { path: 'table.md', lines: '1-2,9' },
      { path: 'table.md', lines: '10-32' },
      { path: 'other.md' },
    ];
    server.model.script({ text, calls: [{ tool: 'concat', input: { files: ranges } }] }, { text });
    await ask(page, 'Where is it?');
    await page.getByText('Not in the source lines: 912').waitFor();
    await page.getByText('3 sources').waitFor();
    await page.getByRole('link', { name: 'Lines 1–2' }).first().waitFor();
    await page.getByRole('link', { name: 'Line 9' }).waitFor();
    await page.getByRole('cell', { name: 'buoy 19', exact: true }).waitFor();
    expect(await page.getByRole('cell', { name: 'buoy 20', exact: true }).count()).toBe(0);
    expect(await page.getByText('first of two').count()).toBe(0);
    await saveScreenshot(page, 'answer-folded');
    await page.getByRole('button', { name: 'Show 11 more lines' }).click();
    await page.getByRole('cell', { name: 'buoy 30', exact: true }).waitFor();
    // A citation opens the source that it refers to.
    await page.getByRole('link', { name: '[3]' }).click();
    await page.locator('[id^=source-]').getByText('first of two').waitFor();
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await saveScreenshot(page, 'answer-unfolded');
    expect(browserErrors).toEqual([]);
  });

  it('is answered with near misses if the vault does not contain it', async () => {
    const { page, server } = await openWeb(files);
    server.model.script({
      text: 'Nothing about the mast; only this is near. [1]\nFound: no',
      calls: [{ tool: 'concat', input: { files: [{ path: `vault/${path}`, lines: '3-4' }] } }],
    });
    await ask(page, 'Where is the mast?');
    await page.getByRole('heading', { name: 'Near misses' }).waitFor();
    expect(await page.getByText('Found: no').count()).toBe(0);
    server.model.script(looking, { text: 'Nothing about it.' });
    await page.getByRole('link', { name: 'Home' }).click();
    // The folder of a question is part of it.
    await page.getByRole('combobox', { name: 'Folder of the question' }).selectOption('projects/startup-x');
    const field = page.getByRole('textbox', { name: 'Ask your vault a question' });
    expect(await field.inputValue()).toBe('projects/startup-x/ ');
    await page.getByRole('combobox', { name: 'Folder of the question' }).selectOption('Whole vault');
    expect(await field.inputValue()).toBe('');
    await ask(page, 'Where does the supplier live?');
    await page.getByText('Not found in your vault.').waitFor();
    // The closest passages are shown if the agent cited nothing.
    await page.getByRole('heading', { name: 'Near misses' }).waitFor();
    await page.locator('mark', { hasText: 'supplier' }).first().waitFor();
    await saveScreenshot(page, 'answer-absent');
  });

  it('is answered with a note on replaced entries, as in the palette, in English and French', async () => {
    const replacing =
      '# 2025-09-02\n\n## The API is back\nreplaces: projects/startup-x/changelog.md § [decision] No external API\n';
    const { page, server, browserErrors } = await openWeb({ ...files, 'changelog.md': replacing });
    server.model.script({
      text: overview,
      calls: [{ tool: 'concat', input: { files: [{ path: `vault/${path}`, lines: '3-4' }] } }],
    });
    await ask(page, 'Why no external API?');
    const replacedText =
      '“[decision] No external API” was replaced on 2025-09-02 by changelog.md:3 § The API is back';
    await page.getByRole('link', { name: replacedText }).waitFor();
    await saveScreenshot(page, 'answer-replaced');
    await page.getByRole('link', { name: replacedText }).click();
    await page.waitForURL('**/file/changelog.md#L3');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('supplier');
    await page.getByRole('option').filter({ hasText: replacedText }).waitFor();
    await saveScreenshot(page, 'palette-replaced');
    await page.getByRole('dialog').getByRole('combobox').fill('> français');
    await page.keyboard.press('Enter');
    await page.goBack();
    await page
      .getByText('«\u00A0[decision] No external API\u00A0» a été remplacé le 2025-09-02 par changelog.md:3')
      .waitFor();
    await saveScreenshot(page, 'answer-replaced-fr');
    // The note disappears with the line that caused it.
    writeFileSync(join(server.folder, 'changelog.md'), '# 2025-09-02\n\n## The API is back\n');
    await page.getByText('a été remplacé').waitFor({ state: 'detached' });
    expect(browserErrors).toEqual([]);
  });

  it('is still answered when the page is reloaded or left, with its progress shown in every tab', async () => {
    const { page, context, server } = await openWeb(files);
    const { promise, resolve } = Promise.withResolvers<void>();
    onTestFinished(() => resolve());
    server.model.respond(async (_, index) => {
      if (index === 0) return looking;
      await promise;
      return { text: overview };
    });
    await ask(page, 'Why no external API?');
    await page.waitForURL('**/answers/*');
    await page.getByText('Searched anything').waitFor();
    await page.reload();
    await page.getByText('Searching…').waitFor();
    await page.getByText('Searched anything').waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByText('Searched anything').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    resolve();
    await other.getByText('The API is built in house.').waitFor();
    await page.getByRole('link', { name: 'Answers' }).click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /Why no external API/ })
      .click();
    await page.getByText('The API is built in house.').waitFor();
    // The search steps can be expanded.
    await page.getByRole('button', { name: '1 step' }).click();
    await page.getByText('Searched anything').waitFor();
    expect(server.model.requests.length).toBe(2);
  });

  it('keeps showing a step when the stored answer, requested before it, arrives after it', async () => {
    const { page, server } = await openWeb(files);
    const step = page.getByText('Searched anything');
    const { promise: requested, resolve: onRequest } = Promise.withResolvers<void>();
    const { promise: replaced, resolve: onReplaced } = Promise.withResolvers<void>();
    await page.route(/\/answers\/[\w-]+$/, async (route) => {
      if (route.request().isNavigationRequest()) return route.fallback();
      const response = await route.fetch();
      onRequest();
      await step.waitFor();
      await route.fulfill({ response });
      onReplaced();
    });
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    onTestFinished(() => finish());
    server.model.respond(async (_, index) => {
      await (index === 0 ? requested : finished);
      return index === 0 ? looking : { text: overview };
    });
    await ask(page, 'Why no external API?');
    await replaced;
    // Two frames later, the page shows what it received.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await step.count()).toBe(1);
  });

  it('is marked as interrupted if the server did not finish it, and can be asked again', async () => {
    const { page, server } = await openWeb(files);
    server.model.script({ fault: 'hang' });
    await ask(page, 'Why no external API?');
    await expect.poll(() => server.model.requests.length, { timeout: 60_000 }).toBe(1);
    await page.getByText('Searching…').waitFor();
    await server.stop();
    await server.start();
    await page.getByText('This answer was interrupted').waitFor();
    server.model.script(looking, { text: overview });
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('The API is built in house.').waitFor();
    expect(await page.getByText('This answer was interrupted').count()).toBe(0);
  });

  it('has its answer shown while it is being written', async () => {
    const { page, server, browserErrors } = await openWeb(files);
    const search = { tool: 'search', input: { queries: ['supplier deliver'], mode: 'fast' } };
    server.model.script(
      { calls: [search] },
      { fault: 'stall', after: 900, turn: { text: `${overview}\n`.repeat(40) } },
    );
    await ask(page, 'Why no external API?');
    // The passages that the agent has found are there before the answer.
    await page.getByRole('heading', { name: 'Found so far' }).waitFor();
    await page.getByText('The supplier cannot deliver before June.').waitFor();
    await page.getByText('The API is built in house.').first().waitFor();
    await page.getByText('Searching…').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('main').getByText('Stopped').waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('can be followed up, copied, saved and deleted; citations link to their lines', async () => {
    const { page, context, server, browserErrors } = await openWeb(files);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const cited = {
      text: 'The API is built in house. [1]\nIt began in July. [2]',
      calls: [
        {
          tool: 'concat',
          input: {
            files: [
              { path: `vault/${path}`, lines: '3-4' },
              { path: `vault/${path}`, lines: '8-9' },
            ],
          },
        },
      ],
    };
    const later = { ...cited, text: 'No. [1]\nThey deliver in June. [3]' };
    server.model.script(cited, later);
    // If the file is stamped in between, the cited lines are others, and the model is asked once more.
    server.model.respond(() => ({ text: later.text }));
    await ask(page, 'Why no external API?');
    const citation = page.getByRole('link', { name: '[2]' });
    const preview = page.getByRole('tooltip');
    await citation.hover();
    await preview.getByText('First day.').waitFor();
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '[1]' }).focus();
    await page.keyboard.press('Tab');
    await preview.getByText('First day.').waitFor();
    await citation.click();
    await page.waitForURL(/#source-\w+-2$/);
    await page.locator('[id^=source-][class*=outline]').filter({ hasText: 'First day.' }).waitFor();
    const followUp = page.getByRole('textbox', { name: 'Ask a follow-up' });
    await followUp.fill('And before June?');
    // Not by the keyboard, because the click on the citation may still move the focus.
    await page.locator('form', { has: followUp }).getByRole('button', { name: 'Ask' }).click();
    await page.getByText('They deliver in June. [3]').waitFor();
    // Both are in one thread, and the agent has read the first one.
    await page.getByRole('heading', { name: 'And before June?' }).waitFor();
    await page.getByText('The API is built in house.').waitFor();
    expect(JSON.stringify(server.model.requests[1]?.body)).toContain('It began in July.');
    await saveScreenshot(page, 'answer-thread');
    await page.getByRole('button', { name: 'Copy as markdown' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain('# Why no external API?\n\nThe API is built in house. [1]');
    expect(copied).toContain('4  | The supplier cannot deliver before June.');
    await page.getByRole('button', { name: 'Save to vault' }).first().click();
    await page.getByRole('link', { name: 'Saved: open note' }).click();
    await page.waitForURL(/bucket\/.*why-no-external-api\.md/);
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).last().click();
    await page.getByRole('heading', { name: 'And before June?' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'All answers' }).click();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('No questions yet').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Answers' }).waitFor();
    await expect.poll(() => page.title()).toBe('Answers · Keepsake');
    expect(browserErrors).toEqual([]);
  });

  it('is answered with keyword matches if there is no model, and the page says so', async () => {
    const { page, browserErrors } = await openWeb(files, { hasModel: false });
    await ask(page, 'When does the supplier deliver?');
    await page.getByText('No AI model is set up, so these are keyword matches').waitFor();
    await page.getByText('The supplier cannot deliver before June.').waitFor();
    await page.locator('mark', { hasText: 'The supplier cannot deliver before June.' }).waitFor();
    await saveScreenshot(page, 'answer-by-search');
    expect(browserErrors).toEqual([]);
  });

  it('is not the only input accepted without a model: an update waits, and links to instructions for adding one', async () => {
    const { page, browserErrors } = await openWeb(files, { hasModel: false });
    // An update is stored, and says what it is waiting for.
    await page.getByRole('textbox', { name: /A note/ }).fill('A note for later');
    await page.keyboard.press('Control+Enter');
    await page.getByText('It will be filed once a model is set up').waitFor();
    await page.getByRole('link', { name: 'Show' }).click();
    await page.getByRole('main').getByText('It will be filed once a model is set up').waitFor();
    await saveScreenshot(page, 'waits-for-model');
    await page.getByRole('link', { name: 'Add a model' }).first().click();
    await page.getByText('Without an AI model').waitFor();
    // The form below sets one up, so no command is named.
    await page.getByText('no model is configured for the agents').waitFor();
    await page.getByRole('combobox', { name: 'Provider' }).waitFor();
    expect(await page.getByText('keepsake config').count()).toBe(0);
    await saveScreenshot(page, 'settings');
    expect(browserErrors).toEqual([]);
  });

  it('is not needed to save a note without a model', async () => {
    const { page, browserErrors } = await openWeb(files, { hasModel: false });
    await page.getByRole('textbox', { name: /A note/ }).fill('Heating check\nThe valve is stuck');
    await page.getByRole('button', { name: 'Save as a note' }).click();
    await page
      .getByText(/bucket\/\d{4}-\d{2}-\d{2}-heating-check-\w{4}\.md/)
      .first()
      .waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('can be asked from the palette, which also finds lines in files', async () => {
    const manyFiles = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`gravel-${at}.md`, `# Gravel ${at}\n`]),
    );
    const { page, server, browserErrors } = await openWeb({ ...files, ...manyFiles });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('gravel');
    await page.getByText('8 of 30 notes').waitFor();
    await page.getByRole('combobox').fill('supplier');
    const hit = page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' });
    await hit.waitFor();
    await saveScreenshot(page, 'palette');
    await page.getByRole('combobox').fill('projects/startup-x/ supplier');
    await page.getByText('in projects/startup-x').waitFor();
    await hit.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/file/${path}#L*`);
    server.model.script(looking, { text: overview }, { text: overview });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('why is it late');
    await page.getByRole('option', { name: 'Ask: why is it late' }).click();
    await page.getByText('The API is built in house.').waitFor();
    await page.getByText('No sources: this answer is not backed by your vault.').waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('can be used for a deep search, which names each stage', async () => {
    const models = await startScriptedModels();
    onTestFinished(() => models.close());
    const { page, server, browserErrors } = await openWeb(files, { searchModels: models.baseUrl });
    await server.keepsake.search.prepare('deep', () => undefined);
    models.script('/chat/completions', { do: 'say', text: 'lex: supplier deliver\nvec: supplier deliver' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('vendor shipping');
    await page.getByText('0 notes').waitFor();
    await page.getByText('Keyword search', { exact: true }).waitFor();
    await page.evaluate(`{
      const send = window.fetch;
      const goOn = new Promise((resolve) => void (window.goOn = resolve));
      window.fetch = async (path, init) => (await (path.endsWith('/search') ? goOn : null), send(path, init));
    }`);
    await page.getByRole('option', { name: 'Deep search' }).click();
    await page.getByRole('status').filter({ hasText: 'Deep search' }).waitFor();
    await page.evaluate('window.goOn()');
    await page.getByText('Search: keywords, related terms, meaning, reranking').waitFor();
    await page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' }).waitFor();
    // The best result is selected, and the input still has the focus.
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/file\/.+#L/);
    expect(models.requests.map((request) => request.path)).toContain('/v1/rerank');
    expect(browserErrors).toEqual([]);
  });

  it('leads to a message if the model for deep search is missing', async () => {
    const { page, browserErrors } = await openWeb(files);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('supplier');
    await page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' }).waitFor();
    await page.keyboard.press('Alt+Enter');
    await page.getByText(/^Keyword matches only/).waitFor();
    await page.getByText('Keyword search', { exact: true }).waitFor();
    expect(browserErrors).toEqual([]);
  });
});
