import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seriousViolations, setTheme, themes } from './axe-violations.ts';
import { expectNoOverflow, hasChromium, isInViewport, openWeb, saveScreenshot } from './open-web.ts';

const many = Array.from({ length: 40 }, (_, index) => [
  `projects/garden/notes/a-rather-long-name-of-a-note-${index}.md`,
  `# Note ${index}\n\nThe marmot sleeps below the shed.\n`,
]);
const files: Record<string, string> = {
  'projects/garden/state.md':
    '# State\n\nFour beds.\n\nThe code of the shed is 4711-zebrafinch.\n\nThe hedge is cut.\n',
  'projects/garden/marmot.md': '# Marmot\n\nThe marmot sleeps below the shed.\n',
  ...Object.fromEntries(many),
};

const texts = {
  'en-GB': {
    passage: 'Forget this passage',
    question: 'Forget for good?',
    found: /^Found in/,
    confirm: 'Forget',
    done: 'Forgotten',
    close: 'Close',
  },
  'fr-FR': {
    passage: 'Oublier ce passage',
    question: 'Oublier définitivement ?',
    found: /^Trouvé à/,
    confirm: 'Oublier',
    done: 'Oublié',
    close: 'Fermer',
  },
} as const;

const cases = (['en-GB', 'fr-FR'] as const).flatMap((locale) =>
  [390, 1440].map((width) => ({ locale, width })),
);

describe.skipIf(!hasChromium)('forgetting', () => {
  it.each(cases)(
    'shows every place of a passage, removes it, and shows a receipt, $width px wide in $locale',
    { timeout: 600_000 },
    async ({ locale, width }) => {
      const options = { locale, viewport: { width, height: 800 }, hasModel: false };
      const { page, server, go, browserErrors } = await openWeb(files, options);
      const text = texts[locale];
      const button = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
      const look = async (name: string): Promise<void> => {
        for (const theme of themes) {
          await setTheme(page, theme);
          await saveScreenshot(page, `forget-${name}-${theme}-${width}-${locale.slice(0, 2)}`);
          expect(await seriousViolations(page, 'forget', theme)).toEqual([]);
        }
        await expectNoOverflow(page);
      };
      await go('/search?q=marmot%20sleeps');
      await page.getByRole('button', { name: text.passage }).first().click();
      await page.getByRole('dialog').getByText(text.found).waitFor();
      await look('many');
      expect(await isInViewport(page, button(text.confirm))).toBe(true);
      await page.keyboard.press('Escape');
      await go('/search?q=zebrafinch');
      await page.getByRole('button', { name: text.passage }).first().click();
      await page.getByRole('dialog').getByText(text.found).waitFor();
      await page.getByRole('dialog').getByText('projects/garden/state.md').first().waitFor();
      await look('plan');
      await button(text.confirm).click();
      await page.getByRole('dialog', { name: text.done }).waitFor();
      expect(readFileSync(join(server.folder, 'projects/garden/state.md'), 'utf8')).not.toContain(
        'zebrafinch',
      );
      await look('receipt');
      await button(text.close).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(browserErrors).toEqual([]);
    },
  );
});
