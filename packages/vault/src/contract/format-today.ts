import type { TodayItemValue, TodayValue } from './tool-results.ts';

type Words = {
  locale: string;
  /** French has a space before it. */
  colon: string;
  headings: Record<List, string>;
  shown: (shown: number, total: number) => string;
  later: (count: number) => string;
  nothing: string;
};

/** The lists of a day, most urgent first. */
const lists = ['overdue', 'due', 'appointments', 'waiting', 'upcoming', 'invalid', 'changed'] as const;
type List = (typeof lists)[number];

const words: Record<'en' | 'fr', Words> = {
  en: {
    locale: 'en-GB',
    colon: ':',
    headings: {
      overdue: 'Overdue',
      due: 'Due today',
      appointments: 'Appointments',
      waiting: 'Waiting',
      upcoming: 'Next 7 days',
      invalid: 'Date does not exist',
      changed: 'Changed since yesterday',
    },
    shown: (shown, total) => (shown === total ? `${total}` : `${shown} of ${total}`),
    later: (count) => `Later: ${count}`,
    nothing: 'Nothing is due.',
  },
  fr: {
    locale: 'fr-FR',
    colon: ' :',
    headings: {
      overdue: 'En retard',
      due: 'Pour aujourd’hui',
      appointments: 'Rendez-vous',
      waiting: 'En attente',
      upcoming: 'Dans les 7 jours',
      invalid: 'Date qui n’existe pas',
      changed: 'Modifié depuis hier',
    },
    shown: (shown, total) => (shown === total ? `${total}` : `${shown} sur ${total}`),
    later: (count) => `Plus tard : ${count}`,
    nothing: 'Rien à faire.',
  },
};

const maxTitleCharacters = 60;

/** A day as text of at most `maxLines` lines, with the path and line of every item. What does not fit is counted. */
export function formatToday(value: TodayValue, language: 'en' | 'fr', maxLines: number): string {
  const say = words[language];
  const present = lists.filter((list) => value.counts[list] > 0);
  const hasLater = value.counts.later > 0;
  const shown = shareLines(
    present.map((list) => value[list].length),
    maxLines - 1 - present.length - (hasLater ? 1 : 0),
  );
  const weekday = new Intl.DateTimeFormat(say.locale, { weekday: 'long', timeZone: 'UTC' });
  return [
    capitalize(`${weekday.format(new Date(`${value.day}T00:00:00Z`))} ${value.day}`),
    ...present.flatMap((list, index) => {
      const count = shown[index] ?? 0;
      const items =
        list === 'changed'
          ? value.changed.slice(0, count).map(({ path, updated }) => `${formatUpdated(updated)}  ${path}`)
          : list === 'invalid'
            ? value.invalid
                .slice(0, count)
                .map(({ day, title, path, line }) => `${day}  ${shorten(title)}  ${path}:${line}`)
            : value[list].slice(0, count).map((item) => formatItem(item, value.day));
      return [
        `${say.headings[list]}${say.colon} ${say.shown(count, value.counts[list])}`,
        ...items.map((item) => `  ${item}`),
      ];
    }),
    ...(present.some((list) => list !== 'changed') || hasLater ? [] : [say.nothing]),
    ...(hasLater ? [say.later(value.counts.later)] : []),
  ].join('\n');
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Shares lines among lists one by one, so that a long list does not hide the others. */
function shareLines(lengths: readonly number[], lines: number): number[] {
  const shares = lengths.map(() => 0);
  for (let left = lines; left > 0;) {
    const before = left;
    for (const [index, length] of lengths.entries())
      if (left > 0 && (shares[index] ?? 0) < length) {
        shares[index] = (shares[index] ?? 0) + 1;
        left -= 1;
      }
    if (left === before) break;
  }
  return shares;
}

function formatItem(item: TodayItemValue, today: string): string {
  const { path, line, title, day, time, endTime, repeat, priority } = item;
  const hours = time === null ? null : endTime === null ? time : `${time}–${endTime}`;
  const parts = [
    ...(day === null || (day === today && hours !== null) ? [] : [day]),
    ...(hours === null ? [] : [hours]),
    `${priority === 0 ? '! ' : ''}${shorten(title)}${repeat === null ? '' : ` (🔁 ${shorten(repeat)})`}`,
    `${path}:${line}`,
  ];
  return parts.join('  ');
}

/** Local time to the minute. */
function formatUpdated(updated: string): string {
  return updated.slice(0, 16).replace('T', ' ');
}

function shorten(text: string): string {
  return text.length > maxTitleCharacters ? `${text.slice(0, maxTitleCharacters - 1)}…` : text;
}
