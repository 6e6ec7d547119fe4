import { extractBody, splitLines } from '../vault/index.ts';
import { findDates } from './parse-dates.ts';
import type { Day } from './parse-dates.ts';
import type { ReviewedFile } from './removals.ts';
import { supportChecker } from './support-checker.ts';
import { detectLanguage } from './word-overlap.ts';

/** Names, numbers and dates that were written but occur in no source. */
export type Invention = { path: string; values: string[] };

export type InventionOptions = {
  files: readonly ReviewedFile[];
  /** What the agent was shown of the vault. */
  sources: readonly string[];
  /** The days of receipt and filing, as `2026-03-02`. */
  days: readonly string[];
  /** The input and attached texts, whose relative dates the agent resolves. */
  inputs: readonly string[];
};

const relativeWords = `demain|hier|après-demain|aujourd'hui|ce soir|ce matin|ce midi|cette semaine|prochaine?s?|dernière?s?|dernier|
  lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week-?end|semaines?|mois|ans?|années?|jours?|fin|début|
  tomorrow|yesterday|today|tonight|next|last|coming|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weeks?|months?|
  years?|days?|ago|morgen|übermorgen|gestern|heute|nächste[nrs]?|letzte[nrs]?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|
  wochen?|monate?|tage?n?|ende|anfang`;
/** `\b` does not know accented letters. */
const relativeTime = new RegExp(
  `(?<!\\p{L})(?:${relativeWords.replaceAll(/\s*\n\s*/g, '')})(?!\\p{L})`,
  'iu',
);
/** How far a date that was said in words, such as “next spring”, may be from the day of receipt. */
const maxResolvedDays = 400;

/**
 * Finds the names, numbers and dates of added lines that are in no source. If a source speaks of relative dates, such as
 * “next Thursday”, dates may come from the calendar.
 */
export function findInventions({ files, sources, days, inputs }: InventionOptions): Invention[] {
  const texts = [...sources, ...inputs, ...files.flatMap(({ path, before }) => [path, before ?? ''])];
  const added = files.map(({ path, before, after }) => ({ path, lines: addedLines(before, after) }));
  const all = added.flatMap(({ lines }) => lines).join('\n');
  const resolved = inputs.some((input) => relativeTime.test(input))
    ? findDates(all, 'certain')
        .flatMap((day) => toIsoDays(day, days))
        .filter((day) => isNear(day, days))
    : [];
  const years = days.flatMap((day) => [-1, 0, 1].map((offset) => String(Number(day.slice(0, 4)) + offset)));
  const language = detectLanguage(all) ?? detectLanguage(inputs.join('\n')) ?? 'en';
  const check = supportChecker({ texts: [...texts, ...years], days: [...days, ...resolved] }, language);
  return added.flatMap(({ path, lines }) => {
    const values = [...new Set(lines.flatMap((line) => check(line)))];
    return values.length === 0 ? [] : [{ path, values }];
  });
}

function addedLines(before: string | null, after: string | null): string[] {
  const old = new Set(splitLines(before ?? ''));
  const text = extractBody(after ?? '').replaceAll(/<!--[\s\S]*?-->/g, '');
  return splitLines(text).filter((line) => line.trim() !== '' && !old.has(line));
}

/** A date without a year is in the year of one of the days, or the next. */
function toIsoDays({ year, month, day }: Day, days: readonly string[]): string[] {
  const years =
    year === undefined
      ? days.flatMap((each) => [Number(each.slice(0, 4)), Number(each.slice(0, 4)) + 1])
      : [year];
  const two = (number: number): string => String(number).padStart(2, '0');
  return [...new Set(years)].map((each) => `${each}-${two(month)}-${two(day)}`);
}

function isNear(day: string, days: readonly string[]): boolean {
  return days.some((each) => Math.abs(Date.parse(day) - Date.parse(each)) <= maxResolvedDays * 86_400_000);
}
