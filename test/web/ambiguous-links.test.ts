import { describe, expect, it } from 'vitest';
import { expectNoOverflow, hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const files = {
  'test/kitchen.md':
    'Open [[state]], [[state#Alerts]], [[state#Plan]], [[state#Nowhere]] or [[projects/tide/state]].\n\n![[state#Alerts]]\n',
  'projects/atelier/state.md': '# Atelier\n\n## Plan\n\nPaint.\n',
  'projects/tide/state.md': '# Tide\n\n## Plan\n\nMeasure.\n\n## Alerts\n\nHigh water.\n',
  'projects/tide/notes.md': 'See [[state#Nowhere]].\n',
  'projects/zebra/state.md': '# Zebra\n\nStripes.\n',
};

describe.skipIf(!hasChromium)('a wikilink that matches several notes', () => {
  it('opens the nearest note or the only one with the heading, or asks which note is meant', async () => {
    const { page, browserErrors } = await openWeb(files, { path: '/file/test/kitchen.md' });
    const link = (name: string) => page.getByRole('article').getByRole('link', { name, exact: true });
    const choices = page.getByRole('list', { name: 'Notes with this name' }).getByRole('link');
    await link('state#Alerts').first().click();
    await page.waitForURL('**/file/projects/tide/state.md#Alerts');
    await page.getByText('High water.').waitFor();
    await page.goBack();

    expect(await link('state').getAttribute('title')).toBe('3 notes have this name');
    await link('state').click();
    await page.getByRole('heading', { name: 'Which “state”?' }).waitFor();
    expect(await choices.allTextContents()).toEqual([
      'projects/atelier/state.md',
      'projects/tide/state.md',
      'projects/zebra/state.md',
    ]);
    await saveScreenshot(page, 'which-note-1440');
    await choices.nth(2).click();
    await page.getByText('Stripes.').waitFor();

    // Two of the three notes have the heading.
    await page.goBack();
    await page.goBack();
    await link('state#Plan').click();
    await page.getByText('Section “Plan” not found').waitFor();
    expect(await choices.nth(2).textContent()).toContain('Section “Plan” not found');
    await choices.nth(0).click();
    await page.waitForURL('**/file/projects/atelier/state.md#Plan');

    await page.goBack();
    await page.goBack();
    await link('projects/tide/state').click();
    await page.waitForURL('**/file/projects/tide/state.md');
    await page.goto(page.url().replace('state.md', 'notes.md'));
    await link('state#Nowhere').click();
    await page.waitForURL('**/file/projects/tide/state.md#Nowhere');
    expect(browserErrors).toEqual([]);
  });

  it('asks which note is meant, on a phone and in French', async () => {
    const { page } = await openWeb(files, {
      path: '/file/test/kitchen.md',
      viewport: { width: 390, height: 844 },
      locale: 'fr-FR',
    });
    await page.getByRole('article').getByRole('link', { name: 'state#Nowhere' }).click();
    await page.getByRole('heading', { name: 'Quelle note «\u00A0state\u00A0»\u202F?' }).waitFor();
    await saveScreenshot(page, 'which-note-390');
    expect(await page.getByRole('list', { name: 'Notes portant ce nom' }).getByRole('link').count()).toBe(3);
  });

  it('is a backlink of each note it may refer to, or only of the one with the heading', async () => {
    const { page } = await openWeb(
      { ...files, 'a.md': 'See [[state#Alerts]].\n', 'b.md': 'See [[state]].\n' },
      { path: '/file/projects/zebra/state.md' },
    );
    const mentions = (count: number) =>
      page.getByRole('navigation', { name: `${count} notes link here` }).getByRole('link');
    await mentions(2).first().waitFor();
    const linking = async (count: number) =>
      (await mentions(count).allTextContents()).map((text) => /^\S+\.md/.exec(text)?.[0]);
    expect(await linking(2)).toEqual(['b.md', 'test/kitchen.md']);
    await page.goto(page.url().replace('zebra', 'tide'));
    await mentions(4).first().waitFor();
    expect(await linking(4)).toEqual(['a.md', 'b.md', 'projects/tide/notes.md', 'test/kitchen.md']);
    await expectNoOverflow(page);
  });
});
