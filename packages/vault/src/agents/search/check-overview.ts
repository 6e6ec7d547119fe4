import { dateNames, findDates, findMonths, fold, supportChecker } from '../../review/index.ts';
import type { Day } from '../../review/index.ts';
import type { Evidence } from './answer.ts';
import { createNumberChecker } from './check-numbers.ts';
import { citationPattern, findCitations } from './citations.ts';

export type OverviewSources = {
  /** The question, and the earlier questions that it follows. */
  questions: readonly string[];
  /** The paths of all files: an answer may say where it looked. */
  paths: readonly string[];
  /** Midnight of the day of the question. */
  today: Date;
};

/**
 * Returns the names, numbers, dates and citations of an overview that neither the cited lines and the headings above them nor the
 * question contain, as written. What follows from the calendar, and totals and counts of the cited lines, are no inventions. This
 * is a lower bound: other inventions go undetected.
 */
export type FindUnsupported = (overview: string, evidence: Evidence | null) => string[];

export function createOverviewChecker({ questions, paths, today }: OverviewSources): FindUnsupported {
  let pathWords: Set<string> | null = null;
  const isPathWord = (name: string): boolean => {
    pathWords ??= new Set(paths.flatMap((path) => fold(path).match(/\p{L}+/gu) ?? []));
    return pathWords.has(fold(name));
  };
  return (overview, evidence) => {
    const blocks = evidence?.blocks ?? [];
    const cited = blocks.flatMap(({ text, path, replaced = [] }) => [
      text,
      path,
      // The answer shows them in a note below the lines.
      ...replaced.flatMap(({ on, by }) => [on ?? '', by.path, by.heading]),
    ]);
    const texts = [...questions, ...cited, ...(evidence?.headings ?? [])];
    // A month without a day may be written in another language than that of the lines.
    const months = monthsIn(texts.join('\n')).flatMap((month) => dateNames({ month, day: 1 }));
    const language = isGerman(overview) ? 'de' : 'en';
    const check = supportChecker({ texts: [...texts, ...months], days: [formatDay(toDay(today))] }, language);
    const isDerived = createNumberChecker({ texts, lines: blocks.map(({ text }) => text), today });

    const checkLine = (line: string): string[] => {
      const dates = check(line)
        .filter((found) => dayPattern.test(found))
        .map((found) => ({ found, ...findWritten(line, found) }));
      const undated = dates.reduce((rest, { written }) => rest.replace(written, ' '), line);
      const others = check(undated).filter((found) =>
        /^\d/.test(found) ? !isDerived(undated, found) : !isPathWord(found),
      );
      const strange = dates.filter(({ found }) => !isWithinWeek(found, today));
      return [...strange.map(({ written }) => written), ...others];
    };
    return [
      ...new Set([...contentLines(overview).flatMap(checkLine), ...findMissingCitations(overview, blocks)]),
    ];
  };
}

/** Months by name, and as `2026-07`. */
function monthsIn(text: string): number[] {
  const written = [...text.matchAll(/\b\d{4}-(\d\d)(?![-\d])/g)].map(([, month]) => Number(month));
  return [...findMonths(text), ...written];
}

const dayPattern = /^(?:\d{4}-)?\d\d-\d\d$/;

/** The lines without citations, paths, line numbers and the headers of tables. */
function contentLines(overview: string): string[] {
  const lines = overview.split('\n');
  return lines
    .filter((line, index) => !isTableRule(line) && !isTableRule(lines[index + 1] ?? ''))
    .map((line) =>
      line
        .replaceAll(citationPattern, ';')
        .replaceAll(/(?<![\p{L}\p{M}\d.-])[\p{L}\p{M}\d.-]*\p{L}\/[^\s,;)]*|(?<!\S)[^\s/]+\.md\b\S*/gu, ' ')
        .replaceAll(/\b(?:lines?|lignes?|zeilen?)\s+\d+(?:\s*(?:-|–|to|à|bis)\s*\d+)?/giu, ' '),
    );
}

export function isTableRule(line: string): boolean {
  return line.includes('|') && /^[|:-][\s|:-]*$/.test(line.trim()) && line.includes('--');
}

function findMissingCitations(overview: string, blocks: Evidence['blocks']): string[] {
  const known = new Set(blocks.map(({ number }) => number));
  return findCitations(overview)
    .filter((number) => !known.has(number))
    .map((number) => `[${number}]`);
}

/** Finds a date in the line as it is written there: the fewest words that contain it. */
function findWritten(line: string, day: string): { written: string } {
  const words = [...line.matchAll(/\S+/g)];
  for (let count = 1; count <= 5; count += 1)
    for (let start = 0; start + count <= words.length; start += 1) {
      const last = words[start + count - 1];
      const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
      const window = line.slice(words[start]?.index, end);
      if (findDates(window, 'certain').some((each) => formatDay(each) === day))
        return { written: window.replaceAll(/^[("«“*_]+|[.,;:!?)"»”*_]+$/g, '') };
    }
  return { written: day };
}

function isWithinWeek(day: string, today: Date): boolean {
  const [month = 0, date = 0] = day.split('-').slice(-2).map(Number);
  const years = day.length > 5 ? [Number(day.slice(0, 4))] : [-1, 0, 1].map((by) => today.getFullYear() + by);
  return years.some((year) => {
    const days = (new Date(year, month - 1, date).getTime() - today.getTime()) / 86_400_000;
    return Math.abs(Math.round(days)) <= 7;
  });
}

function toDay(date: Date): Day {
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}

function formatDay({ year, month, day }: Day): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${year === undefined ? '' : `${year}-`}${two(month)}-${two(day)}`;
}

/** German capitalizes every noun, so capitalized words are not names there. */
function isGerman(text: string): boolean {
  const words =
    text.match(/\b(?:der|das|und|ist|nicht|eine?|einen|für|mit|vom|zum|wurde|sind|auf)\b/gi) ?? [];
  return words.length >= 2;
}
