import type { Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';

export const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Colours may pass into each other: what is looked at before that is over has some of both. */
export async function showIn(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished))',
  );
}

/**
 * What is serious. Themes differ in colours only, so the second one is only asked about those; the sidebar is beside every
 * view, so it is looked at beside the first.
 */
export async function findings(page: Page, name: string, theme: Theme): Promise<string[]> {
  const violations = await violationsIn(page, {
    ...(name !== 'home' && name !== 'menu' && { exclude: ['nav'] }),
    ...(theme === 'dark' && { rules: ['color-contrast'] }),
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${name} in ${theme}: ${id}: ${html}\n${failureSummary}`),
    );
}
