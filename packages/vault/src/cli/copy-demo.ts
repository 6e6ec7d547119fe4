import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '../contract/index.ts';
import { createFolders, updateTokens } from '../vault/index.ts';
import { shiftDates } from './shift-dates.ts';

/** The day in the notes of the demo vault that becomes today, or one of the six days before it. */
const presentDay = '2026-06-24';

/** The number of days between the notes of the demo vault and today, in whole weeks, so that weekdays stay right. */
function demoShift(today: string): number {
  return Math.floor((Date.parse(today) - Date.parse(presentDay)) / (7 * 86_400_000)) * 7;
}

/** Copies the demo vault with all dates, also in names, moved close to today. */
export function copyDemo(from: string, to: string, today: string): void {
  const move = (text: string): string => shiftDates(text, demoShift(today), 2026);
  const copyFolder = (source: string, target: string): void => {
    createFolders(target);
    for (const entry of readdirSync(source, { withFileTypes: true })) {
      const [path, moved] = [join(source, entry.name), join(target, move(entry.name))];
      if (entry.isDirectory()) copyFolder(path, moved);
      else writeFileSync(moved, updateTokens(move(readFileSync(path, 'utf8'))));
    }
  };
  copyFolder(from, to);
}

/** The recorded replies with their dates moved like those of the vault; the day of the recording becomes today. */
export function moveRecording(text: string, recordedDay: string, today: string): string {
  const shift = demoShift(today);
  return shiftDates(text.replaceAll(recordedDay, addDays(today, -shift)), shift, 2026);
}
