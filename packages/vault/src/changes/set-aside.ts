import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a repository is called that was damaged and put out of the way; a date follows. */
const asideMark = '.broken-';

/** Puts a damaged repository out of the way, under a name with the day; nothing of it is lost. */
export function setHistoryAside(folder: string, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const names = new Set(readdirSync(dirname(folder)));
  let name = `${basename(folder)}${asideMark}${day}`;
  for (let turn = 2; names.has(name); turn += 1) name = `${basename(folder)}${asideMark}${day}-${turn}`;
  const aside = join(dirname(folder), name);
  renameSync(folder, aside);
  return aside;
}

/** The repositories that were set aside. */
export function historiesAside(folder: string): string[] {
  const beginning = `${basename(folder)}${asideMark}`;
  const place = dirname(folder);
  const names = existsSync(place) ? readdirSync(place) : [];
  return names.filter((name) => name.startsWith(beginning)).map((name) => join(place, name));
}
