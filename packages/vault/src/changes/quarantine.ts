import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The suffix of a damaged repository that was quarantined; a date follows. */
const quarantineSuffix = '.broken-';

/** Renames a damaged repository to a name with the date; nothing is deleted. */
export function quarantineHistory(folder: string, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const names = new Set(readdirSync(dirname(folder)));
  let name = `${basename(folder)}${quarantineSuffix}${day}`;
  for (let attempt = 2; names.has(name); attempt += 1)
    name = `${basename(folder)}${quarantineSuffix}${day}-${attempt}`;
  const quarantined = join(dirname(folder), name);
  renameSync(folder, quarantined);
  return quarantined;
}

/** The day on which a repository was quarantined, `2025-07-14`. */
export function quarantineDay(quarantined: string): string {
  return quarantined.slice(quarantined.lastIndexOf(quarantineSuffix) + quarantineSuffix.length).slice(0, 10);
}

/** Lists the quarantined repositories. */
export function listQuarantined(folder: string): string[] {
  const prefix = `${basename(folder)}${quarantineSuffix}`;
  const place = dirname(folder);
  const names = existsSync(place) ? readdirSync(place) : [];
  return names.filter((name) => name.startsWith(prefix)).map((name) => join(place, name));
}
