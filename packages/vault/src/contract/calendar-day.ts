/** Whether a text is a day that the calendar has, such as `2026-07-14`. `Date.parse` accepts February 31 as March 3. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/** Explains why `isDay` is false. */
export function explainInvalidDay(text: unknown): string {
  return typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)
    ? `the date ${text} does not exist`
    : 'must be a day such as 2026-07-14';
}
