export { collapseWhitespace, fold } from './fold.ts';
export { dateNames, findDates, findMonths } from './parse-dates.ts';
export type { Day } from './parse-dates.ts';
export { findNumbers } from './parse-numbers.ts';
export { supportChecker } from './support-checker.ts';
