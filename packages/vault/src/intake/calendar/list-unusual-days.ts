import ICAL from 'ical.js';

const maxInterval = 100;
const maxDays = 2_000;

/**
 * The days of a rule that a line cannot express, such as the second Sunday of May, as ical.js computes them. Null for rules
 * that it computes wrongly or without end: times of a day, days after the 28th, and positions of anything but weekdays.
 */
export function listUnusualDays(
  rule: ICAL.Recur,
  start: string,
): ((from: string) => Iterable<string>) | null {
  const { freq, interval } = rule;
  const parts = rule.parts as Partial<Record<string, (string | number)[]>>;
  const { BYDAY: days, BYMONTHDAY: dates = [] } = parts;
  const keys = new Set(Object.keys(parts));
  const isKnown = [...keys].every((key) => ['BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS'].includes(key));
  const isCommon =
    (freq === 'MONTHLY' || freq === 'YEARLY') &&
    Number.isInteger(interval) &&
    interval > 0 &&
    interval <= maxInterval;
  const isEarly = dates.every((date) => Number(date) >= 1 && Number(date) <= 28);
  const hasDay = days !== undefined || dates.length > 0 || Number(start.slice(8)) <= 28;
  const isPosition =
    !keys.has('BYSETPOS') || (freq === 'MONTHLY' && days !== undefined && dates.length === 0);
  if (!isKnown || !isCommon || !isEarly || !hasDay || !isPosition) return null;
  return function* list(from) {
    const endless = rule.clone();
    endless.until = null;
    endless.count = null;
    const iterator = endless.iterator(ICAL.Time.fromDateString(start));
    // The first day counts also if it is not one of the rule.
    if (start >= from) yield start;
    let before = start;
    for (let count = 0; count < maxDays; count += 1) {
      const day = iterator.next()?.toString() ?? null;
      if (day === start) continue;
      if (day === null || day <= before) return;
      before = day;
      if (day >= from) yield day;
    }
  };
}
