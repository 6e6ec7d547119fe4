import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { temporaryFolder } from '../temporary-vault.ts';
import { seriousViolations, setTheme, themes } from './axe-violations.ts';
import { expectNoOverflow, hasChromium, openWeb, saveScreenshot } from './open-web.ts';

async function zipFile(files: Record<string, string>): Promise<string> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path);
  archive.end();
  const file = join(temporaryFolder(), 'my notes.zip');
  writeFileSync(file, await buffer(archive.outputStream));
  return file;
}

describe.skipIf(!hasChromium)('importing an archive', () => {
  it('shows the plan, imports it and undoes all of it', async () => {
    const { page, browserErrors } = await openWeb({ 'notes/a.md': '# A\n' }, { hasModel: false });
    const file = await zipFile({
      '.obsidian/app.json': '{}',
      'Home.md': '# Home\n\nSee [[Roof]].\n',
      'Roof.md': '# Roof\n\nThe password is hunter22-Quokka.\n',
      'old.exe': 'MZ',
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('>import');
    await page.getByRole('option', { name: 'Import an archive' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import an archive' });
    const start = dialog.getByRole('button', { name: 'Import', exact: true });
    expect(await start.isDisabled()).toBe(true);
    await dialog.getByLabel('Choose zip file').setInputFiles(file);
    await dialog.getByText('2 notes').waitFor();
    await dialog.getByText('Obsidian vault').last().waitFor();
    await dialog.getByText('my-notes', { exact: true }).waitFor();
    for (const theme of themes) {
      await setTheme(page, theme);
      await saveScreenshot(page, `import-plan-${theme}`);
      expect(await seriousViolations(page, 'import', theme)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await expectNoOverflow(page);
    await saveScreenshot(page, 'import-plan-390');
    await page.setViewportSize({ width: 1440, height: 800 });
    await start.click();
    await page.getByText(/^Imported 2 notes/).waitFor();
    await page.waitForURL('**/file/bucket/my-notes');
    await page.getByRole('main').getByText('Roof.md').first().waitFor();
    await saveScreenshot(page, 'import-done');
    await page
      .getByText(/^Imported 2 notes/)
      .locator('..')
      .getByRole('button', { name: 'Undo' })
      .click();
    await page.getByText('Undone').first().waitFor();
    await expect.poll(() => page.getByRole('treeitem', { name: 'my-notes' }).count()).toBe(0);
    expect(browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('opens for a zip that is added in the composer, and refuses other files', async () => {
    const { page } = await openWeb({ 'notes/a.md': '# A\n' }, { hasModel: false, locale: 'fr-FR' });
    const file = await zipFile({ 'a.md': '# A\n' });
    await page
      .getByRole('textbox', { name: /Saisie|Ajouter|note/i })
      .first()
      .click();
    await page.getByLabel('Joindre').last().setInputFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Importer une archive' });
    await dialog.getByText('1 note').waitFor();
    const other = join(temporaryFolder(), 'x.txt');
    writeFileSync(other, 'x');
    await dialog.getByLabel('Choisir un autre fichier').setInputFiles(other);
    await dialog.getByText('Ce n’est pas un fichier zip.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Importer', exact: true }).isDisabled()).toBe(true);
    await saveScreenshot(page, 'import-refused-fr');
  });
});
