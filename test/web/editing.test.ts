import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const files = { 'notes.md': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' };

describe.skipIf(!hasChromium)('the file page', () => {
  it('saves edits, and restores an earlier version from the history', async () => {
    const { page, server, browserErrors } = await openWeb(files, { path: '/file/notes.md' });
    const file = join(server.folder, 'notes.md');
    for (const line of ['first edit', 'second edit']) {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('textbox', { name: 'Editor' }).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(`${line}\n`);
      await page.keyboard.press('Control+s');
      await page.getByRole('article').getByText(line).waitFor();
    }
    expect(readFileSync(file, 'utf8')).toContain('seven\nfirst edit\nsecond edit\n');
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('region', { name: 'Change' }).getByText('second edit').waitFor();
    await saveScreenshot(page, 'history');
    await page.getByRole('button', { name: 'Restore this version' }).first().click();
    await page.getByText('Restored', { exact: true }).waitFor();
    expect(readFileSync(file, 'utf8')).not.toContain('second edit');
    expect(readFileSync(file, 'utf8')).toContain('first edit');
    expect(browserErrors).toEqual([]);
  });

  it('undoes its own edits and those of other programs from the history', async () => {
    const { page, server, browserErrors } = await openWeb(files, { path: '/file/notes.md' });
    const file = join(server.folder, 'notes.md');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('an edit ');
    await page.keyboard.press('Control+s');
    await page.getByRole('article').getByText('an edit one').waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(() => readFileSync(file, 'utf8')).not.toContain('an edit');
    await page.getByText('Undone').first().waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('two', 'two from outside'));
    await server.keepsake.changes.recordExternalEdits(['vault/notes.md' as VaultPath]);
    const outside = page.getByRole('listitem').filter({ hasText: '· Other programs' });
    await outside.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).not.toContain('from outside');
    await saveScreenshot(page, 'history-undo');
    expect(browserErrors).toEqual([]);
  });

  it('shows both sides of a conflict with an external edit and saves both', async () => {
    const { page, server, browserErrors } = await openWeb(files, { path: '/file/notes.md' });
    const file = join(server.folder, 'notes.md');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.type(' from here');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('one\n', 'one from elsewhere\n').replace('seven', 'seven as well'));
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'On disk' }).waitFor();
    const view = page.getByRole('region', { name: 'Changes to merge' });
    await view.getByText('one from here').waitFor();
    await view.getByText('one from elsewhere').waitFor();
    await saveScreenshot(page, 'conflict');
    // Nothing was written meanwhile.
    expect(readFileSync(file, 'utf8')).not.toContain('from here');
    await page.getByRole('button', { name: 'Save merged version' }).click();
    await page.getByRole('article').getByText('one from here').waitFor();
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('one from here\none from elsewhere\ntwo');
    expect(text).toContain('seven as well');
    // The server rejects the first attempt, which the browser logs.
    expect(browserErrors.filter((line) => !line.includes('412'))).toEqual([]);
  });

  it('keeps a draft when the page is left or reloaded', async () => {
    const { page, go } = await openWeb(files, { path: '/file/notes.md' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('not saved yet ');
    await page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await go('/file/notes.md');
    await page.getByText('Your unsaved changes were restored.').waitFor();
    await page.getByText('not saved yet one').first().waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('article').waitFor();
    expect(await page.getByText('not saved yet').count()).toBe(0);
  });

  it('keeps the save button visible, and accepts pasted images', async () => {
    const long = `# Long\n\n${'A line.\n\n'.repeat(300)}`;
    const { page, server, browserErrors } = await openWeb(
      { 'projects/x/long.md': long },
      { path: '/file/projects/x/long.md' },
    );
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('==marked==\n');
    await page.locator('.cm-marked', { hasText: 'marked' }).waitFor();
    await page.getByText('Unsaved draft', { exact: true }).first().waitFor();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const y = (await save.boundingBox())?.y ?? -1;
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(400);
    await page.evaluate(`(() => {
      const hosts = [...document.querySelectorAll('*')];
      const box = hosts.find((each) => each.shadowRoot !== null).shadowRoot.querySelector('.cm-content');
      const bytes = Uint8Array.from(atob('${picture}'), (each) => each.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'my shot.png', { type: 'image/png' }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await page.getByText('![](bucket/my-shot.png)').first().waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('img.cm-image').waitFor();
    expect(readFileSync(join(server.folder, 'projects/x/bucket/my-shot.png')).toString('base64')).toBe(
      picture,
    );
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByRole('treeitem', { name: /long\.md.*Unsaved draft/ }).waitFor();
    await page.getByRole('button', { name: 'Continue editing' }).click();
    await saveScreenshot(page, 'edit-split');
    await save.click();
    await page.getByRole('article').locator('mark').waitFor();
    expect(readFileSync(join(server.folder, 'projects/x/long.md'), 'utf8')).toContain(
      '![](bucket/my-shot.png)',
    );
    expect(browserErrors).toEqual([]);
  });

  it('creates the missing file that a link points to', async () => {
    const { page, server } = await openWeb({ 'a.md': 'See [[ideas]].\n' }, { path: '/file/a.md' });
    await page.getByRole('link', { name: 'ideas' }).click();
    await page.getByText('File not found').waitFor();
    await page.getByRole('button', { name: 'Create file' }).click();
    await page.getByRole('textbox', { name: 'Editor' }).click();
    await page.keyboard.type('# Ideas');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Ideas', exact: true }).waitFor();
    expect(readFileSync(join(server.folder, 'ideas.md'), 'utf8')).toContain('# Ideas');
  });

  it('shows the line numbers of the file, task fields as chips, links, and images from the vault', async () => {
    const { page, browserErrors } = await openWeb(
      {
        'projects/x/tasks.md':
          '---\ntype: tasks\n---\n\n# Paint\nstatus: to-do | prio: high\n\nSee [[state]] and [notes](../../notes.md#L2).\n![there](p.png) ![not](http://example.com/x.png)\n',
        'projects/x/state.md': 'state here\n',
        'projects/x/p.png': Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        ),
        ...files,
      },
      { path: '/file/projects/x/tasks.md' },
    );
    const number = async (text: string): Promise<string | null> =>
      page
        .locator('.prose p, .prose h1, .prose tr')
        .filter({ hasText: text })
        .locator('.ln')
        .first()
        .getAttribute('data-line');
    await page.getByRole('heading', { name: 'Paint' }).waitFor();
    const lines = (await page.evaluate(
      `fetch('/api/vaults/default/files/projects/x/tasks.md').then(r => r.text())`,
    )) as string;
    const at = (text: string): string => `${lines.split('\n').findIndex((line) => line.includes(text)) + 1}`;
    expect(await number('Paint')).toBe(at('# Paint'));
    expect(await number('See')).toBe(at('See [['));
    await page.locator('.chip.urgent', { hasText: 'high' }).waitFor();
    expect(await page.locator('.prose img').count()).toBe(1);
    await expect
      .poll(() => page.evaluate(`document.querySelector('.prose img').naturalWidth === 1`))
      .toBe(true);
    expect(await page.getByRole('link', { name: /example\.com/ }).getAttribute('rel')).toContain('noopener');
    await page.getByRole('link', { name: 'notes', exact: true }).click();
    await page.waitForURL('**/file/notes.md#L2');
    await page.locator('.marked').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'state', exact: true }).click();
    await page.waitForURL('**/file/projects/x/state.md');
    await page.getByText('state here').waitFor();
    expect(browserErrors).toEqual([]);
  });
});
