import type { Page } from 'playwright-core';
import { findViolations } from './accessibility.ts';

export const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Switches the theme and waits for transitions, because colors are mixed while they run. */
export async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished))',
  );
}

/**
 * Returns the serious violations. Themes differ only in colors, so the dark one is only checked for contrast. The sidebar is the
 * same in every view, so it is checked once.
 */
export async function seriousViolations(page: Page, name: string, theme: Theme): Promise<string[]> {
  const violations = await findViolations(page, {
    ...(name !== 'home' && name !== 'menu' && { exclude: ['nav'] }),
    ...(theme === 'dark' && { rules: ['color-contrast'] }),
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${name} in ${theme}: ${id}: ${html}\n${failureSummary}`),
    );
}
