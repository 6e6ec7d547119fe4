import { addDays } from '../../contract/index.ts';
import { parseTasks } from '../../vault/index.ts';
import type { WallTime } from './event-zone.ts';

type EventText = {
  start: WallTime;
  /** The last day of a whole-day event. */
  end: WallTime | null;
  title: string;
  place: string;
  /** How it repeats; empty if it does not. */
  repeat: string;
};

const maxTitleCharacters = 150;
const maxPlaceCharacters = 60;

/** The line of an event in a calendar note. It is parsed again, because the title is by others and may look like marks of a task. */
export function formatEventLine({ start, end, title, place, repeat }: EventText): string {
  const { day, clock } = start;
  const isLong = end !== null && (clock === null ? end.day > day : end.day > addDays(day, 1));
  const range = end?.clock === null || end === null || isLong || clock === null ? '' : `-${end.clock}`;
  const time = clock === null ? day : `${day} ${clock}${range === `-${clock}` ? '' : range}`;
  const lasting = isLong && clock === null ? `every day until ${end.day}` : repeat;
  const rule = lasting === '' ? '' : ` 🔁 ${lasting}`;
  const until = isLong && clock !== null ? ` (until ${end.day} ${end.clock ?? ''})` : '';
  const where = /^https?:/i.test(place.trim()) ? '' : clean(place, maxPlaceCharacters);
  const whole = `${clean(title, maxTitleCharacters)}${where === '' ? '' : ` · ${where}`}`;
  for (const separator of [' ', ': '])
    for (const text of [whole, onlyWords(whole)]) {
      const shown = text === '' ? 'Untitled event' : text;
      const line = `- ${time}${separator}${shown}${until}${rule}`;
      if (isReadBack(line, { start, title: `${shown}${until}`, repeat: lasting })) return line;
    }
  return `- ${time} Untitled event${until}${rule}`;
}

function isReadBack(
  line: string,
  { start, title, repeat }: Pick<EventText, 'start' | 'title' | 'repeat'>,
): boolean {
  const [event, ...others] = parseTasks(`${line}\n`, 'calendar');
  return (
    event?.isEvent === true &&
    others.length === 0 &&
    event.title === title &&
    event.when?.day === start.day &&
    event.when.time === start.clock &&
    (event.repeat ?? '') === repeat
  );
}

/** One line without markup and the signs of tasks. */
function clean(text: string, maxCharacters: number): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\p{C}|\s/gu, ' ')
    .replaceAll(/[📅📆🗓⏳⌛⏰🛫➕✅❌🔺⏫🔼🔽⏬🔁🆔⛔🏁]\uFE0F?|[*_~#^=|\\`{}<>%$]/gu, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replaceAll(/:(?=:)/g, '')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed()
    .trim();
}

function onlyWords(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{M}\p{N}' ’-]|(?<!\p{L})[-'’]|[-'’](?!\p{L})/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}
