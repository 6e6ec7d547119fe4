import type { TodayItemValue, TodayValue } from './tool-results.ts';

type Words = {
  locale: string;
  /** French has a space before it. */
  colon: string;
  headings: Record<List, string>;
  shown: (shown: number, total: number) => string;
  /** What is not listed, and the command that lists it. */
  rest: (shown: number, total: number, command: string) => string;
  nothing: string;
};

/** The lists of a day, most urgent first. */
const lists = [
  'overdue',
  'due',
  'appointments',
  'waiting',
  'upcoming',
  'invalid',
  'changed',
  'later',
] as const;
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
      later: 'Later',
    },
    shown: (shown, total) => (shown === total ? `${total}` : `${shown} of ${total}`),
    rest: (shown, total, command) => `${shown} of ${total}; all: ${command}`,
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
      later: 'Plus tard',
    },
    shown: (shown, total) => (shown === total ? `${total}` : `${shown} sur ${total}`),
    rest: (shown, total, command) => `${shown} sur ${total} ; tout : ${command}`,
    nothing: 'Rien à faire.',
  },
};

const maxTitleCharacters = 60;

type TodayFormat = {
  language: 'en' | 'fr';
  /** Infinity lists everything. */
  maxRows: number;
  /** The number of rows that a line takes. */
  countRows?: (line: string) => number;
  /** The command that lists everything, if the reader can run it. */
  allCommand?: string;
};

/** A day as text of at most `maxRows` rows, with the path and line of every item. What does not fit is counted. */
export function formatToday(
  value: TodayValue,
  { language, maxRows, countRows = () => 1, allCommand }: TodayFormat,
): string {
  const say = words[language];
  const present = lists.filter((list) => value.counts[list] > 0);
  const isHinted = allCommand !== undefined && maxRows !== Infinity;
  const items = present.map((list) => formatItems(value, list, maxRows));
  const shown = shareRows(
    items.map((each) => each.map(countRows)),
    maxRows - 1 - present.length - (isHinted ? 1 : 0),
  );
  const weekday = new Intl.DateTimeFormat(say.locale, { weekday: 'long', timeZone: 'UTC' });
  const total = present.reduce((sum, list) => sum + value.counts[list], 0);
  const totalShown = shown.reduce((sum, count) => sum + count, 0);
  return [
    capitalize(`${weekday.format(new Date(`${value.day}T00:00:00Z`))} ${value.day}`),
    ...(present.some((list) => list !== 'changed') ? [] : [say.nothing]),
    ...present.flatMap((list, index) => {
      const count = shown[index] ?? 0;
      const counts = list === 'later' && count === 0 ? value.counts.later : count;
      return [
        `${say.headings[list]}${say.colon} ${say.shown(counts, value.counts[list])}`,
        ...(items[index] ?? []).slice(0, count),
      ];
    }),
    ...(isHinted && totalShown < total ? [say.rest(totalShown, total, allCommand)] : []),
  ].join('\n');
}

/** Items after the next week are listed only without a limit. */
function formatItems(value: TodayValue, list: List, maxItems: number): string[] {
  if (list === 'changed')
    return value.changed
      .slice(0, maxItems)
      .map(({ path, updated }) => `  ${formatUpdated(updated)}  ${path}`);
  if (list === 'invalid')
    return value.invalid
      .slice(0, maxItems)
      .map(({ day, title, path, line }) => `  ${day}  ${shorten(title)}  ${path}:${line}`);
  const items = list === 'later' ? (maxItems === Infinity ? (value.later ?? []) : []) : value[list];
  return items.slice(0, maxItems).map((item) => `  ${formatItem(item, value.day)}`);
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Shares rows among lists item by item, so that a long list does not hide the others. Returns how many items each shows. */
function shareRows(costs: readonly (readonly number[])[], rows: number): number[] {
  const shares = costs.map(() => 0);
  let left = rows;
  for (let hasMore = true; hasMore;) {
    hasMore = false;
    for (const [index, ofList] of costs.entries()) {
      const cost = ofList[shares[index] ?? 0];
      if (cost === undefined || cost > left) continue;
      shares[index] = (shares[index] ?? 0) + 1;
      left -= cost;
      hasMore = true;
    }
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
