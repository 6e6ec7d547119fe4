import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoOverflow, hasChromium, keepPicture, openWeb } from './open-web.ts';

const views: [name: string, path: string, ready: RegExp][] = [
  ['home', '/', /Recently changed/],
  ['file', '/file/projects/tidewatch/tasks.md', /Replace the oxygen probe/],
  ['state', '/file/projects/tidewatch/state.md#L21-24', /Dissolved oxygen below/],
  ['folder', '/file/projects/tidewatch', /steering|description\.md/],
  ['inbox', '/inbox', /Ce devis de 384/],
  ['activity', '/activity', /Nothing was filed yet/],
  ['settings', '/settings', /Other programs/],
  ['components', '/components', /Every part of the interface/],
  ['missing', '/file/none.md', /There is no such file/],
];
const demo = (root: string): void => cpSync('demo/vault', join(root, 'vault'), { recursive: true });

async function findings(page: Page, where: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${where}: ${id}: ${html}\n${failureSummary}`),
    );
}

describe.skipIf(!hasChromium).each([
  ['light', 1440, 800],
  ['dark', 1440, 800],
  ['light', 360, 740],
  ['dark', 360, 740],
] as const)('in %s at %i px', (colorScheme, width, height) => {
  it('every view is legible, fits, and has no serious finding of axe', { timeout: 180_000 }, async () => {
    const { page, go, complaints } = await openWeb(
      {},
      {
        colorScheme,
        viewport: { width, height },
        isMobile: width === 360,
        hasTouch: width === 360,
        prepare: demo,
      },
    );
    const found: string[] = [];
    for (const [name, path, ready] of views) {
      await go(path);
      await page.getByRole('main').getByText(ready).first().waitFor();
      if (name === 'state') await page.locator('.marked').waitFor();
      await expectNoOverflow(page);
      found.push(...(await findings(page, name)));
      if (name !== 'missing') await keepPicture(page, `${name}-${colorScheme}-${width}`);
    }
    await go('/file/projects/tidewatch/tasks.md');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Edit the text' }).waitFor();
    await expectNoOverflow(page);
    found.push(...(await findings(page, 'edit')));
    await keepPicture(page, `edit-${colorScheme}-${width}`);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('oxygen');
    await page.getByRole('option').nth(3).waitFor();
    await expectNoOverflow(page);
    found.push(...(await findings(page, 'palette')));
    await keepPicture(page, `palette-${colorScheme}-${width}`);
    await page.keyboard.press('Escape');
    if (width === 360) {
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await page.getByRole('treeitem').first().waitFor();
      found.push(...(await findings(page, 'menu')));
      await keepPicture(page, `menu-${colorScheme}-${width}`);
    }
    expect(found).toEqual([]);
    expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
  });
});
