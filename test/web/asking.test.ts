import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { looking } from '../agents/agent-vault.ts';
import { startScriptedModels } from '../local-models/server.ts';
import { hasChromium, keepPicture, openWeb } from './open-web.ts';

const path = 'projects/startup-x/changelog.md';
const files = {
  [path]:
    '# 2025-07-14\n\n## [decision] No external API\nThe supplier cannot deliver before June.\n\n# 2025-07-01\n\n## Began\nFirst day.\n',
};
const overview = 'The API is built in house.\nThe reason stands in the changelog of startup-x.';

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('button', { name: 'Ask', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'A question to your vault' }).fill(question);
  await page.keyboard.press('Control+Enter');
}

describe.skipIf(!hasChromium)('a question', () => {
  it('is answered with source lines that lead to their place, and says when they changed', async () => {
    const { page, server, complaints } = await openWeb(files);
    server.model.script(
      { calls: [{ tool: 'search', input: { queries: ['supplier deliver'], mode: 'fast' } }] },
      {
        text: overview,
        calls: [{ tool: 'concat', input: { files: [{ path: `vault/${path}`, lines: '3-4' }] } }],
      },
    );
    await ask(page, 'Why no external API?');
    await page.getByText('The API is built in house.').waitFor();
    await page.getByText('Still matches').waitFor();
    await page.getByText('The supplier cannot deliver before June.').waitFor();
    await keepPicture(page, 'answer');
    await page.getByRole('link', { name: 'Lines 3–4' }).click();
    await page.waitForURL(`**/file/${path}#L3-4`);
    await page.locator('.marked').waitFor();
    const marked = await page.locator('.marked').boundingBox();
    const line = await page.getByText('The supplier cannot deliver').boundingBox();
    expect(marked?.y).toBeLessThan(line?.y ?? 0);
    expect((marked?.y ?? 0) + (marked?.height ?? 0)).toBeGreaterThanOrEqual((line?.y ?? 0) + 10);
    await keepPicture(page, 'lines');
    // Lines that moved are still theirs; lines that changed are said to have.
    const file = join(server.folder, path);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `# 2025-07-20\n\nNew.\n\n${text}`);
    await page.getByText('New.').waitFor();
    await page.goBack();
    await page.getByText('Moved').waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('before June', 'before May'));
    await page.getByText('Changed since', { exact: true }).waitFor();
    // Both are shown, and what was said of them may not hold any more.
    await page.getByText('1 of 1 source changed since').waitFor();
    await page.getByText('−The supplier cannot deliver before June.').waitFor();
    await page.getByText('+The supplier cannot deliver before May.').waitFor();
    await keepPicture(page, 'answer-changed');
    // Loaded anew it is still there, and its lines are compared again.
    await page.reload();
    await page.getByText('The API is built in house.').waitFor();
    await page.getByText('Changed since', { exact: true }).waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('before May', 'before June'));
    await page.reload();
    await page.getByText('Moved').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is told of an entry that was replaced, in the answer and in the palette, in English and French', async () => {
    const replacing =
      '# 2025-09-02\n\n## The API is back\nreplaces: projects/startup-x/changelog.md § [decision] No external API\n';
    const { page, server, complaints } = await openWeb({ ...files, 'changelog.md': replacing });
    server.model.script({
      text: overview,
      calls: [{ tool: 'concat', input: { files: [{ path: `vault/${path}`, lines: '3-4' }] } }],
    });
    await ask(page, 'Why no external API?');
    await page.getByText('Still matches').waitFor();
    const told =
      '“[decision] No external API” was replaced on 2025-09-02 by changelog.md:3 § The API is back';
    await page.getByRole('link', { name: told }).waitFor();
    await keepPicture(page, 'answer-replaced');
    await page.getByRole('link', { name: told }).click();
    await page.waitForURL('**/file/changelog.md#L3');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('supplier');
    await page.getByRole('option').filter({ hasText: told }).waitFor();
    await keepPicture(page, 'palette-replaced');
    await page.getByRole('combobox').fill('> français');
    await page.keyboard.press('Enter');
    await page.goBack();
    await page
      .getByText('« [decision] No external API » a été remplacé le 2025-09-02 par changelog.md:3')
      .waitFor();
    await keepPicture(page, 'answer-replaced-fr');
    // Once the line is gone, so is what it said.
    writeFileSync(join(server.folder, 'changelog.md'), '# 2025-09-02\n\n## The API is back\n');
    await page.getByText('a été remplacé').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('goes on when the page is loaded anew or left, and is told to every tab while it is written', async () => {
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
    await page.getByText('Looking…').waitFor();
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
    // How it was looked into can be unfolded.
    await page.getByRole('button', { name: '1 step' }).click();
    await page.getByText('Searched anything').waitFor();
    expect(server.model.requests.length).toBe(2);
  });

  it('that the server did not finish says that it was broken off, and can be asked again', async () => {
    const { page, server } = await openWeb(files);
    server.model.script({ fault: 'hang' });
    await ask(page, 'Why no external API?');
    await expect.poll(() => server.model.requests.length, { timeout: 60_000 }).toBe(1);
    await page.getByText('Looking…').waitFor();
    await server.stop();
    await server.start();
    await page.getByText('This answer was broken off').waitFor();
    server.model.script(looking, { text: overview });
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('The API is built in house.').waitFor();
    expect(await page.getByText('This answer was broken off').count()).toBe(0);
  });

  it('shows what is being written before it is whole', async () => {
    const { page, server, complaints } = await openWeb(files);
    server.model.script(looking, { fault: 'stall', after: 900, turn: { text: `${overview}\n`.repeat(40) } });
    await ask(page, 'Why no external API?');
    await page.getByText('The API is built in house.').first().waitFor();
    await page.getByText('Looking…').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('main').getByText('Stopped').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is asked on from, copied, filed, deleted; numbers in the overview lead to the lines', async () => {
    const { page, context, server, complaints } = await openWeb(files);
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
    server.model.script(cited, { ...cited, text: 'No. [1]\nThey deliver in June. [3]' });
    await ask(page, 'Why no external API?');
    await page.getByRole('link', { name: '[2]' }).click();
    await page.waitForURL(/#source-\w+-2$/);
    await page.locator('[id^=source-][class*=outline]').filter({ hasText: 'First day.' }).waitFor();
    await page.getByRole('textbox', { name: 'Ask on from here' }).fill('And before June?');
    await page.keyboard.press('Enter');
    await page.getByText('They deliver in June. [3]').waitFor();
    // Both stand in one thread, and the agent has read the first one.
    await page.getByRole('heading', { name: 'And before June?' }).waitFor();
    await page.getByText('The API is built in house.').waitFor();
    expect(JSON.stringify(server.model.requests[1]?.body)).toContain('It began in July.');
    await keepPicture(page, 'answer-thread');
    await page.getByRole('button', { name: 'Copy as markdown' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain('# Why no external API?\n\nThe API is built in house. [1]');
    expect(copied).toContain('4  | The supplier cannot deliver before June.');
    await page.getByRole('button', { name: 'File into the vault' }).first().click();
    await page.getByRole('link', { name: 'Filed: open the note' }).click();
    await page.waitForURL(/bucket\/.*why-no-external-api\.md/);
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).last().click();
    await page.getByRole('heading', { name: 'And before June?' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'All answers' }).click();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('button', { name: 'Delete all for good' }).click();
    await page.getByText('Nothing was asked yet').waitFor();
    expect(complaints).toEqual([]);
  });

  it('without a model finds lines by fast search, and says so', async () => {
    const { page, complaints } = await openWeb(files, { hasModel: false });
    await ask(page, 'When does the supplier deliver?');
    await page.getByText('There is no model, so these are lines that fast search finds').waitFor();
    await page.getByText('The supplier cannot deliver before June.').waitFor();
    await page.getByText('Still matches').first().waitFor();
    await keepPicture(page, 'answer-by-search');
    expect(complaints).toEqual([]);
  });

  it('without a model says what works and how to add one', async () => {
    const { page, complaints } = await openWeb(files, { hasModel: false });
    // What is handed over is kept, and says what it waits for.
    await page.getByRole('textbox', { name: /A note/ }).fill('A note for later');
    await page.keyboard.press('Control+Enter');
    await page.getByText('It is filed as soon as there is a model').waitFor();
    await page.getByRole('link', { name: 'Show' }).click();
    await page.getByRole('main').getByText('It is filed as soon as there is a model').waitFor();
    await keepPicture(page, 'waits-for-model');
    await page.getByRole('link', { name: 'How to add one' }).first().click();
    await page.getByText('What works without a model').waitFor();
    await page.getByText('keepsake config model').first().waitFor();
    await keepPicture(page, 'settings');
    expect(complaints).toEqual([]);
  });

  it('can be put from the palette, which also finds lines in files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`gravel-${at}.md`, `# Gravel ${at}\n`]),
    );
    const { page, server, complaints } = await openWeb({ ...files, ...many });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('gravel');
    await page.getByText('8 of 30 results').waitFor();
    await page.getByRole('combobox').fill('supplier');
    const hit = page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' });
    await hit.waitFor();
    await keepPicture(page, 'palette');
    await page.getByRole('combobox').fill('projects/startup-x/ supplier');
    await page.getByText('in projects/startup-x').waitFor();
    await hit.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/file/${path}#L*`);
    server.model.script(looking, { text: overview });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('why is it late');
    await page.getByRole('option', { name: 'Ask: why is it late' }).click();
    await page.getByText('The API is built in house.').waitFor();
    await page.getByText('Nothing in the vault was cited').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is searched deeper on demand, by meaning and in other words, and each stage is named', async () => {
    const models = await startScriptedModels();
    onTestFinished(() => models.close());
    const { page, server, complaints } = await openWeb(files, { searchModels: models.baseUrl });
    await server.keepsake.search.prepare('deep', () => undefined);
    models.script('/chat/completions', { do: 'say', text: 'lex: supplier deliver\nvec: supplier deliver' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('vendor shipping');
    await page.getByText('0 results').waitFor();
    await page.getByText('Ran: words', { exact: true }).waitFor();
    await page.evaluate(`{
      const send = window.fetch;
      const goOn = new Promise((resolve) => void (window.goOn = resolve));
      window.fetch = async (path, init) => (await (path.endsWith('/search') ? goOn : null), send(path, init));
    }`);
    await page.getByRole('option', { name: 'Search deeper' }).click();
    await page.getByRole('status').filter({ hasText: 'Search deeper' }).waitFor();
    await page.evaluate('window.goOn()');
    await page.getByText('Ran: words, other words, meaning, order').waitFor();
    await page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' }).waitFor();
    // The best one is chosen, and the keyboard still where it was.
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/file\/.+#L/);
    expect(models.requests.map((request) => request.path)).toContain('/v1/rerank');
    expect(complaints).toEqual([]);
  });

  it('searched deeper without a model for it says what is missing', async () => {
    const { page, complaints } = await openWeb(files);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('supplier');
    await page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' }).waitFor();
    await page.keyboard.press('Alt+Enter');
    await page.getByText('no embedding model is chosen').waitFor();
    await page.getByText('Ran: words', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
