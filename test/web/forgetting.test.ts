import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

const phrase = 'à la pénicilline (test de 2019) et';
const health = {
  'profile.md': `# Profil\n\n- Allergie ${phrase} aux crustacés. Les huîtres, oui.\n`,
};

const texts = {
  'en-GB': {
    passage: 'Forget this passage',
    question: 'Forget for good?',
    found: /^Found in/,
    confirm: 'Forget',
    review: 'Review and forget',
    words: 'Words only',
    sentences: 'Whole sentences',
    changed: 'The text has changed',
    done: 'Forgotten',
    close: 'Close',
  },
  'fr-FR': {
    passage: 'Oublier ce passage',
    question: 'Oublier définitivement ?',
    found: /^Trouvé à/,
    confirm: 'Oublier',
    review: 'Vérifier et oublier',
    words: 'Ces mots seulement',
    sentences: 'Phrases entières',
    changed: 'Le texte a changé',
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
      // The passage was all that the note said.
      expect(existsSync(join(server.folder, 'projects/garden/state.md'))).toBe(false);
      await look('receipt');
      await button(text.close).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(browserErrors).toEqual([]);
    },
  );

  it.each(cases)(
    'shows what a held request removes, and removes exactly that, $width px wide in $locale',
    { timeout: 600_000 },
    async ({ locale, width }) => {
      const { page, server, go, browserErrors } = await openWeb(health, {
        locale,
        viewport: { width, height: 800 },
      });
      const text = texts[locale];
      const dialog = page.getByRole('dialog');
      server.model.script({ calls: [{ tool: 'propose', input: { phrases: [phrase] } }] });
      const { id } = await server.keepsake.accept({
        text: 'Forget that I am allergic to penicillin.',
        files: [],
        source: { kind: 'person', name: 'web' },
      });
      await expect.poll(() => server.keepsake.agents.updates.find(id)?.state).toBe('done');
      await go('/inbox');
      await page.getByRole('button', { name: text.review }).click();
      await dialog.getByText('Allergie aux crustacés.', { exact: false }).first().waitFor();
      const look = async (name: string): Promise<void> => {
        for (const theme of themes) {
          await setTheme(page, theme);
          await saveScreenshot(page, `forget-${name}-${theme}-${width}-${locale.slice(0, 2)}`);
          expect(await seriousViolations(page, 'forget', theme)).toEqual([]);
        }
        await expectNoOverflow(page);
      };
      await look('request');
      await dialog.getByRole('button', { name: text.sentences }).click();
      await dialog.locator('strong', { hasText: 'aux crustacés.' }).first().waitFor();
      await look('request-sentences');
      await dialog.getByRole('button', { name: text.words }).click();
      await dialog.getByText('Allergie aux crustacés.', { exact: false }).first().waitFor();
      // Another program edits the sentence: nothing is removed, and the new sentence is shown.
      const file = join(server.folder, 'profile.md');
      const edited = health['profile.md'].replace('aux crustacés', 'aux crustacés et au latex');
      writeFileSync(file, edited);
      await dialog.getByRole('button', { name: text.confirm, exact: true }).click();
      await dialog.getByText(text.changed, { exact: false }).waitFor();
      expect(readFileSync(file, 'utf8')).toContain(phrase);
      await dialog.getByText('Allergie aux crustacés et au latex.', { exact: false }).first().waitFor();
      await dialog.getByRole('button', { name: text.confirm, exact: true }).click();
      await page.getByRole('dialog', { name: text.done }).waitFor();
      expect(readFileSync(file, 'utf8')).toContain('- Allergie aux crustacés et au latex. Les huîtres, oui.');
      expect(browserErrors.filter((error) => !error.includes('412'))).toEqual([]);
    },
  );
});
