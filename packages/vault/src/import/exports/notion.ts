import { monthNames } from '../../contract/index.ts';
import { splitPath } from '../split-path.ts';

const withId = /^(.+) [0-9a-f]{32}(_all)?$/;

/** Removes the id that Notion appends to the name of each page: `Page 0123…cdef` becomes `Page`. Null if there is no id. */
export function stripNotionId(stem: string): string | null {
  const match = withId.exec(stem);
  if (match === null) return null;
  const [, name = '', all = ''] = match;
  return `${name}${all}`;
}

const createdKey = /^(?:created(?: time| at)?|date created)$/i;
const updatedKey = /^(?:last edited(?: time)?|last updated|updated(?: at)?)$/i;

/** The times among the properties that Notion writes below the title of a page, in milliseconds since 1970. */
export function readNotionTimes(text: string): { created?: number; updated?: number } {
  const [, properties = ''] =
    /^\s*# [^\n]*\n\s*\n((?:[^\n:]{1,60}: [^\n]*\n)+)/.exec(text.replaceAll('\r', '')) ?? [];
  const times: { created?: number; updated?: number } = {};
  for (const line of properties.split('\n')) {
    const key = line.slice(0, line.indexOf(':'));
    const time = parseNotionTime(line.slice(key.length + 1).trim());
    if (time !== null && createdKey.test(key)) times.created ??= time;
    if (time !== null && updatedKey.test(key)) times.updated ??= time;
  }
  return times;
}

/** Parses `March 3, 2024 2:15 PM`, in the local time of this machine; null for other values. */
function parseNotionTime(value: string): number | null {
  const {
    name = '',
    day,
    year,
    hour = '0',
    minute = '0',
    half = '',
  } = /^(?<name>[a-z]+) (?<day>\d{1,2}), (?<year>\d{4})(?: (?<hour>\d{1,2}):(?<minute>\d\d)(?: (?<half>[AP]M))?)?$/i.exec(
    value,
  )?.groups ?? {};
  const month = monthNames.findIndex((names) => names.includes(name.toLowerCase()));
  if (month < 0) return null;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const time = new Date(Number(year), month, Number(day), hours, Number(minute));
  // Date accepts February 31 as March 2.
  return time.getDate() === Number(day) && hours < 24 ? time.getTime() : null;
}

/** The pages of the rows of a database, which are in the folder with the name of its table, by their title. */
function rowPages(table: string, paths: readonly string[]): Map<string, string | null> {
  const stem = table.replace(/(?:_all)?\.csv$/i, '');
  const { parent, name } = splitPath(stem);
  const above = parent === '' ? '' : `${parent}/`;
  const folders = new Set([above + name, above + (stripNotionId(name) ?? name)]);
  const pages = new Map<string, string | null>();
  for (const path of paths) {
    const page = splitPath(path);
    if (!folders.has(page.parent) || !path.endsWith('.md')) continue;
    const key = titleKey(stripNotionId(page.name.slice(0, -3)) ?? page.name.slice(0, -3));
    // Two rows with the same title cannot be told apart.
    pages.set(key, pages.has(key) ? null : path);
  }
  return pages;
}

/** Names of files lack some characters of the title and are shortened. */
const maxKeyCharacters = 40;

function titleKey(title: string): string {
  return (
    title
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .join('')
    .slice(0, maxKeyCharacters);
}

/** Links the first cell of each row of a converted table to the page of the row; the links are those of the source. */
export function linkRows(markdown: string, table: string, paths: readonly string[]): string {
  const pages = rowPages(table, paths);
  if (pages.size === 0) return markdown;
  const { parent } = splitPath(table);
  return markdown.replaceAll(/^\| ([^|[\]\n\\]+?) *(?= \|)/gm, (cell, title: string) => {
    const page = pages.get(titleKey(title)) ?? null;
    if (page === null || titleKey(title) === '') return cell;
    const target = page.slice(parent === '' ? 0 : parent.length + 1);
    return `| [${title}](${encodeTarget(target)})`;
  });
}

/** Parentheses would end the target of a link. */
function encodeTarget(path: string): string {
  const encode = (name: string): string =>
    encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29');
  return path.split('/').map(encode).join('/');
}
