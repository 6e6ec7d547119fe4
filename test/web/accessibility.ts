import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Options = {
  /** Selectors of parts that are not checked. */
  exclude?: string[];
  /** The rules to check; all of them by default. */
  rules?: string[];
};

/** Runs axe on the page and returns its violations, one per rule. */
export async function findViolations(
  page: Page,
  { exclude = [], rules }: Options = {},
): Promise<axe.Result[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source);
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const run = `axe.run(${JSON.stringify({ exclude })}, ${JSON.stringify(options)})`;
  return page.evaluate(`${run}.then(({ violations }) => violations)`);
}

/** Injects axe into every page on load, because sending it to the page takes as long as running it. */
export async function injectAxe(page: Page): Promise<void> {
  await page.addInitScript(axe.source);
}
