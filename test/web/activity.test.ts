import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { hasChromium, openWeb } from './open-web.ts';
import type { WebServer } from './web-server.ts';

const files = { 'note.md': '# Note\n\none\n', 'projects/roof/state.md': '# Roof\n\nIt leaks.\n' };

const entry = (page: Page, text: RegExp | string) => page.getByRole('article').filter({ hasText: text });

async function call(server: WebServer, tool: string, input: object, origin = 'mcp: claude-code') {
  const reader = origin.startsWith('mcp') ? 'model' : 'person';
  const outcome = await server.keepsake.callTool({ tool, input, reader, origin });
  expect(outcome.kind).toBe('result');
}

describe.skipIf(!hasChromium)('the activity page', () => {
  it('lists all changes as sentences, with line counts, diff and undo', async () => {
    const { server, page, go, browserErrors } = await openWeb(files, { path: '/activity' });
    await page.getByText('No changes yet').waitFor();
    await call(server, 'append', {
      path: 'projects/roof/state.md',
      content: 'Tiles are ordered.',
      position: 'bottom',
    });
    await call(server, 'write', { path: 'new.md', content: '# New\n' }, 'keepsake write');
    const own = entry(page, 'You created new.md');
    const { height = 0 } = (await own.getByText('You created new.md').locator('..').boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(32);
    expect(height).toBeLessThanOrEqual(40);
    await own.getByRole('button', { name: 'Show changes' }).click();
    await own.getByText(/^You, in the terminal ·/).waitFor();
    await entry(page, 'claude-code edited roof/state.md')
      .getByRole('img', { name: /1 line added, 0 lines removed|2 lines added, 0 lines removed/ })
      .waitFor();
    // An external edit is recognized only if the history already contains the file.
    await expect.poll(() => server.keepsake.changes.baseline.findMissing([])).toBeNull();
    writeFileSync(join(server.folder, 'note.md'), '# Note\n\ntwo\n');
    rmSync(join(server.folder, 'new.md'));
    await server.keepsake.changes.recordExternalEdits(['vault/note.md', 'vault/new.md'] as VaultPath[]);
    await go('/activity');
    const outside = entry(page, 'Another program edited note.md and deleted new.md');
    await outside.getByRole('button', { name: 'Show changes' }).click();
    await outside.getByText(/^Other programs ·/).waitFor();
    await outside.getByText('two', { exact: true }).waitFor();
    await outside.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFileSync(join(server.folder, 'note.md'), 'utf8')).toMatch(/# Note\n\none\n$/);
    await entry(page, 'You undid a change to 2 files').waitFor();
    await outside.getByText('Undone').waitFor();
    // The message about the undo offers to undo it, and so does the next message.
    const message = page.getByRole('status').filter({ hasText: /done/ });
    await message.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFileSync(join(server.folder, 'note.md'), 'utf8')).toMatch(/# Note\n\ntwo\n$/);
    await message.getByText('Redone').waitFor();
    await message.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFileSync(join(server.folder, 'note.md'), 'utf8')).toMatch(/# Note\n\none\n$/);
    await page.getByRole('button', { name: 'Play this day' }).click();
    const replay = page.getByRole('dialog', { name: 'today' });
    await replay.getByText('claude-code edited roof/state.md').waitFor();
    await replay.getByText('Tiles are ordered.').waitFor();
    await replay.getByRole('button', { name: 'Next change' }).click();
    await replay.getByText('You created new.md').waitFor();
    await replay.getByText('2 of 6').waitFor();
    await page.keyboard.press('Escape');
    expect(browserErrors).toEqual([]);
  });

  it('filters by author, folder and kind, and keeps the filters in the URL', async () => {
    const { server, page, go } = await openWeb(files);
    await call(server, 'append', {
      path: 'projects/roof/state.md',
      content: 'Tiles are ordered.',
      position: 'bottom',
    });
    await call(server, 'write', { path: 'new.md', content: '# New\n' }, 'keepsake write');
    await go('/activity');
    const articles = page.getByRole('article');
    await expect.poll(() => articles.count()).toBe(2);
    await page.getByRole('combobox', { name: 'Author' }).selectOption('claude-code');
    await expect.poll(() => articles.count()).toBe(1);
    await entry(page, 'claude-code edited').waitFor();
    expect(page.url()).toContain('who=client&name=claude-code');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Created');
    await page.getByText('No matching changes').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Folder' }).selectOption('projects/roof');
    await expect.poll(() => articles.count()).toBe(1);
    await page.reload();
    await entry(page, 'claude-code edited').waitFor();
    await expect.poll(() => articles.count()).toBe(1);
  });

  it('asks which lines to keep if an undo conflicts with later edits', async () => {
    const { server, page } = await openWeb(files, { path: '/activity' });
    await call(server, 'write', { path: 'new.md', content: 'first\n' }, 'keepsake write');
    const text = (line: string) =>
      `${readFileSync(join(server.folder, 'new.md'), 'utf8').split('\n').slice(0, -2).join('\n')}\n${line}\n`;
    writeFileSync(join(server.folder, 'new.md'), text('second'));
    await server.keepsake.changes.recordExternalEdits(['vault/new.md' as VaultPath]);
    writeFileSync(join(server.folder, 'new.md'), text('third'));
    await page.reload();
    await entry(page, 'Another program edited new.md').getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog', { name: 'These lines changed in the meantime' });
    // Both versions are shown in columns, as lines of the note.
    await dialog.getByRole('heading', { name: 'Current' }).waitFor();
    await dialog.getByRole('heading', { name: 'Before the change' }).waitFor();
    expect(await dialog.locator('pre').allTextContents()).toEqual(['third', 'first']);
    await dialog.getByRole('button', { name: 'Replace current' }).click();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFileSync(join(server.folder, 'new.md'), 'utf8')).toMatch(/first\n$/);
  });

  it(
    'renders only the visible rows of 20,000 changes, and loads them page by page',
    { timeout: 600_000 },
    async () => {
      const { server, page, go } = await openWeb(files);
      await call(server, 'append', { path: 'note.md', content: 'The first of all.', position: 'bottom' });
      await server.stop();
      addChanges(join(server.folder, '..', 'state'), 20_000);
      await server.start();
      let requests = 0;
      page.on('request', (request) => void (requests += Number(request.url().includes('/history?'))));
      await page.goto(server.link());
      await go('/activity');
      await page.getByRole('article').first().waitFor();
      const nodes = (): Promise<number> => page.locator('main *').count();
      const atFirst = await nodes();
      expect(atFirst).toBeLessThan(1_500);
      let maxRows = 0;
      await expect
        .poll(
          async () => {
            await page.evaluate(`document.querySelector('main').scrollTop = 1e9`);
            maxRows = Math.max(maxRows, await nodes());
            return Number(await page.getByRole('article').last().getAttribute('aria-posinset'));
          },
          { timeout: 300_000, interval: 20 },
        )
        .toBeGreaterThan(600);
      console.log(
        `20,000 changes: ${atFirst} elements at first, at maxRows ${maxRows}, in ${requests} requests`,
      );
      expect(maxRows).toBeLessThan(1_500);
    },
  );
});

/** Inserts changes as if they had been made one after the other over a year. */
function addChanges(state: string, count: number): void {
  const database = new Database(join(state, 'keepsake.sqlite'));
  const insert = database.prepare(
    `insert into transactions (id, at, origin, summary, state, recorded, commit_hash) values (?, ?, ?, '', 'applied', 1, '')`,
  );
  const insertFile = database.prepare(
    `insert into changes (transaction_seq, position, path, kind, lines_added, lines_removed) values (?, 0, ?, 'edited', 3, 1)`,
  );
  const now = Date.now();
  database.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      const at = now - (count - index) * 1_500_000;
      const { lastInsertRowid: seq } = insert.run(randomUUID(), at, index % 3 === 0 ? 'web' : 'outside');
      insertFile.run(seq, `vault/notes/n${index % 500}.md`);
    }
  })();
  database.close();
}
