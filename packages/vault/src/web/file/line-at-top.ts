/** The first line in sight of the note or source that is read; null if the page is not scrolled. */
export function lineAtTop(): number | null {
  const page = document.querySelector('main');
  if (page === null || page.scrollTop === 0) return null;
  const header = document.querySelector('[data-note-header]')?.getBoundingClientRect();
  const top = Math.max(page.getBoundingClientRect().top, header?.bottom ?? 0);
  const numbers = [...page.querySelectorAll<HTMLElement>('.ln')];
  // The numbers are in order of their lines, so half of the rest is excluded with each look.
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle]?.getBoundingClientRect().top ?? 0) < top) low = middle + 1;
    else high = middle;
  }
  const line = Number(numbers[low]?.dataset['line']);
  return Number.isNaN(line) ? null : line;
}
