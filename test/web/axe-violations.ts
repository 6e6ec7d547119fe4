import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findViolations } from './accessibility.ts';

export const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Switches the theme. Colors change at once, because the browsers of tests ask for reduced motion. */
export async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
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
