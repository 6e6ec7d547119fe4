import type { Page } from 'playwright-core';

/** The start of each element that overflows to the right, of the page or of a container, except for code and tables. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(`[document.documentElement, ...document.querySelectorAll('*')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1)
    .filter((each) => each === document.documentElement || getComputedStyle(each).overflowX !== 'visible')
    .filter((each) => !each.closest('pre, .table, .truncate, .sr-only, .cm-scroller, input'))
    .filter((each) => getComputedStyle(each).textOverflow !== 'ellipsis')
    .map((each) => each.outerHTML.slice(0, 200))`);
}
