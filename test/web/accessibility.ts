import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Options = {
  /** Selectors of parts that are not looked at. */
  exclude?: string[];
  /** Only these rules; all of them unless some are named. */
  rules?: string[];
};

/** What axe has to say against the page, by rule. */
export async function violationsIn(page: Page, { exclude = [], rules }: Options = {}): Promise<axe.Result[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source);
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const run = `axe.run(${JSON.stringify({ exclude })}, ${JSON.stringify(options)})`;
  return page.evaluate(`${run}.then(({ violations }) => violations)`);
}

/** Has axe in every page from the start: to send it there takes as long as to run it. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript(axe.source);
}
