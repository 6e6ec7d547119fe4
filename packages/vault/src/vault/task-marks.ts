import { addDays, isDay } from '../contract/index.ts';

/**
 * A day, with the time of an appointment. Times are local, for example `14:30`; null if unknown. An end before the start is on the
 * next day.
 */
export type When = { day: string; time: string | null; endTime: string | null };

/** The marks in one line of text, and the text without them. */
export type TaskMarks = {
  title: string;
  when: When | null;
  /** The day of the mark if there is no such day, for example 2026-02-31; `when` is null then. */
  invalidDay?: string;
  /** How the task repeats, in the words of the note; null if it does not. */
  repeat: string | null;
  /** 0 is the highest; null if the line does not say. */
  priority: number | null;
  isWaiting: boolean;
};

const day = String.raw`(?:\[\[)?(?<day>\d{4}-\d\d-\d\d)(?:\]\])?`;
const clock = String.raw`\d{1,2}(?::\d\d|h(?:\d\d)?)(?!\d)`;
const timeSpan = String.raw`(?<time>${clock})(?::\d\d)?(?: ?[-–] ?(?<end>${clock}))?`;
const whenText = String.raw`${day}(?:(?:T|,? +(?:at +|à +)?)${timeSpan})?`;

/** Matches a mark with one of these signs (`📅 2026-07-14`) or names (`due:: …`, `[due:: …]`, `@due(…)`, `due: …`). */
function markPattern(signs: string, names: string): RegExp {
  const named = String.raw`@(?:${names})\( *|[[(]?(?<![\p{L}\p{N}])(?:${names}) *::? *`;
  return new RegExp(String.raw`(?:(?:${signs})\uFE0F? *|${named})${whenText}[\])]?`, 'iu');
}

const duePattern = markPattern('📅|📆|🗓', 'due|deadline|échéance');
const scheduledPattern = markPattern('⏳|⌛', 'scheduled|prévue?');
const otherMark = (signs: string, names: string): RegExp =>
  new RegExp(String.raw`(?:(?:${signs})\uFE0F? *|[[(](?:${names}) *:: *)\d{4}-\d\d-\d\d[\])]?`, 'iu');
const startMark = otherMark('🛫', 'start');
const createdMark = otherMark('➕', 'created');
const doneMark = otherMark('✅', 'completion');
const cancelledMark = otherMark('❌', 'cancelled');
const identity =
  / ?(?:🆔|⛔)\uFE0F? *[\w-]+(?: *, *[\w-]+)*| ?[[(](?:id|dependsOn) *:: *[^\])[(]*[\])]|\s+\^[\w-]+(?=\s*$)/giu;
const clockPattern = new RegExp(String.raw`⏰\uFE0F? *${timeSpan}`, 'u');
const startPattern = new RegExp(String.raw`^${whenText}(?=$|[\s,;:.)|–—-])`, 'u');
const otherDates = /(?:🛫|➕|✅|❌)\uFE0F? *\d{4}-\d\d-\d\d/gu;
const repeatPattern =
  /🔁\uFE0F? *([^📅📆🗓⏳⌛⏰🛫➕✅❌🔺⏫🔼🔽⏬🆔⛔🏁#^[(]+)|[[(](?:repeat|recurrence|récurrence) *:: *([^\])[(]+)[\])]/iu;
const highPriority = /🔺|⏫|[[(]priority *:: *(?:highest|high)[\])]/iu;
const mediumPriority = /🔼|[[(]priority *:: *medium[\])]/iu;
const waitingTag = /(?<![\p{L}\p{N}])[#@](?:waiting(?:-for)?|en-attente|attente)(?![\p{L}\p{N}/-])/iu;
const field = /[[(][\p{L}-]{1,20} *:: *[^\])[(]*[\])]/gu;
const prioritySigns = /(?:🔺|⏫|🔼|🔽|⏬)\uFE0F?/gu;
const maxTitleCharacters = 200;

/** Parses the marks of the common task formats in a line: Obsidian Tasks, Dataview, `@due(…)` and plain `due: …`. */
export function parseTaskMarks(line: string): TaskMarks {
  const text = line.normalize('NFC');
  const due = duePattern.exec(text) ?? scheduledPattern.exec(text);
  const { when, ...invalid } = toWhen(due);
  const atTime = clockPattern.exec(text);
  const repeat = repeatPattern.exec(text);
  return {
    title: cleanTitle(text),
    when: when !== null && when.time === null && atTime !== null ? { ...when, ...toTimes(atTime) } : when,
    ...invalid,
    repeat: (repeat?.[1] ?? repeat?.[2])?.trim() ?? null,
    priority: highPriority.test(text) ? 0 : mediumPriority.test(text) ? 1 : null,
    isWaiting: waitingTag.test(text),
  };
}

/** How the tasks of a note are marked, so that a new mark has the form of the others. */
export type TaskForms = 'signs' | 'fields' | 'functions';

export function formsOf(text: string): TaskForms {
  if (/[📅📆🗓⏳⏫🔼]/u.test(text)) return 'signs';
  if (/@(?:due|deadline|échéance)\(/iu.test(text)) return 'functions';
  return /(?:due|deadline|scheduled|priority) *::/iu.test(text) ? 'fields' : 'signs';
}

/** Sets the day of the mark that states the deadline of a line, adds a mark or, with null, removes it. A time stays. */
export function setDay(line: string, to: string | null, forms: TaskForms): string {
  const pattern = duePattern.test(line) ? duePattern : scheduledPattern;
  if (to === null) return line.replace(pattern, '').replace(/ {2,}/g, ' ').trimEnd();
  if (pattern.test(line)) return line.replace(pattern, (mark) => mark.replace(/\d{4}-\d\d-\d\d/, () => to));
  const added = { signs: `📅 ${to}`, fields: `[due:: ${to}]`, functions: `@due(${to})` };
  return addMark(line, added[forms]);
}

/** The day on which a task starts, as written. */
export function startDay(text: string): string | null {
  return /\d{4}-\d\d-\d\d/.exec(startMark.exec(text)?.[0] ?? '')?.[0] ?? null;
}

/** The line of the next task: its dates moved by `days`, without what belongs to the one before. */
export function moveMarks(line: string, days: number, today: string): string {
  const dated = [duePattern, scheduledPattern, startMark].reduce(
    (rest, pattern) =>
      rest.replace(pattern, (mark) =>
        mark.replace(/\d{4}-\d\d-\d\d/, (from) => (isDay(from) ? addDays(from, days) : from)),
      ),
    line,
  );
  return [doneMark, cancelledMark]
    .reduce((rest, pattern) => rest.replace(new RegExp(` ?${pattern.source}`, 'giu'), ''), dated)
    .replace(createdMark, (mark) => mark.replace(/\d{4}-\d\d-\d\d/, () => today))
    .replaceAll(identity, '');
}

/** Sets the day on which a task was done; null removes it. */
export function setDoneDay(line: string, done: string | null, forms: TaskForms): string {
  const plain = line.replace(new RegExp(` ?${doneMark.source}`, 'iu'), '');
  return done === null ? plain : addMark(plain, forms === 'fields' ? `[completion:: ${done}]` : `✅ ${done}`);
}

/** Whether a task of this text says when it was done. */
export function hasDoneDay(text: string): boolean {
  return doneMark.test(text);
}

/** Sets the priority of a line; 2 removes its mark. */
export function setPriority(line: string, priority: number, forms: TaskForms): string {
  const plain = line
    .replaceAll(/ ?(?:🔺|⏫|🔼|🔽|⏬)\uFE0F?/gu, '')
    .replace(/ ?[[(]priority *:: *[\p{L}]+[\])]/iu, '');
  if (priority >= 2) return plain;
  const isHigh = priority === 0;
  if (forms === 'fields') return addMark(plain, `[priority:: ${isHigh ? 'high' : 'medium'}]`);
  return addMark(plain, isHigh ? '⏫' : '🔼');
}

export function removeWaitingTag(line: string): string {
  return line.replace(new RegExp(` ?${waitingTag.source}`, waitingTag.flags), '');
}

/** Adds a mark at the end of a line, before the name of its block. */
function addMark(line: string, mark: string): string {
  const [, text = '', end = ''] = /^(.*?)(\s+\^[\w-]+\s*|\s*)$/u.exec(line) ?? [];
  return `${text} ${mark}${end}`;
}

/**
 * Parses a day at the start of a text, with an optional time; `rest` is the text after it. `hasTime`: also if there is no such day.
 * Null if the text starts with no day.
 */
export function parseWhen(text: string): (FoundWhen & { rest: string; hasTime: boolean }) | null {
  const found = startPattern.exec(text);
  if (found === null) return null;
  const rest = text.slice(found[0].length).replace(/^[\s,;:.)|–—-]+/, '');
  return { ...toWhen(found), rest, hasTime: toTimes(found).time !== null };
}

type FoundWhen = Pick<TaskMarks, 'when' | 'invalidDay'>;

function toWhen(found: RegExpExecArray | null): FoundWhen {
  if (found === null) return { when: null };
  const named = found.groups?.['day'] ?? '';
  return isDay(named) ? { when: { day: named, ...toTimes(found) } } : { when: null, invalidDay: named };
}

function toTimes({ groups }: RegExpExecArray): Pick<When, 'time' | 'endTime'> {
  const time = toTime(groups?.['time']);
  const endTime = time === null ? null : toTime(groups?.['end']);
  const isSpan = time !== null && endTime !== null && minutesBetween(time, endTime) <= maxSpanMinutes;
  return { time, endTime: isSpan && endTime !== time ? endTime : null };
}

/** An end before the start is on the next day, unless the appointment would be longer than this; then it is ignored. */
const maxSpanMinutes = 12 * 60;

/** The minutes from one time of day to the next occurrence of another. */
export function minutesBetween(start: string, end: string): number {
  const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return (minutesOf(end) - minutesOf(start) + 24 * 60) % (24 * 60);
}

function toTime(text: string | undefined): string | null {
  const [hours = '', minutes = ''] = text?.split(/[:h]/) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}

/** The text without marks and link syntax. */
function cleanTitle(text: string): string {
  const plain = [duePattern, scheduledPattern, clockPattern, repeatPattern, waitingTag]
    .reduce((rest, pattern) => rest.replace(pattern, ' '), text)
    .replaceAll(otherDates, ' ')
    .replaceAll(prioritySigns, ' ')
    .replaceAll(field, ' ')
    .replaceAll(identity, ' ')
    .replaceAll(/\[\[(?:[^\][|]*\|)?([^\][|]+)\]\]/g, '$1')
    .replaceAll(/\[([^\][]+)\]\([^()]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length > maxTitleCharacters ? `${plain.slice(0, maxTitleCharacters - 1)}…` : plain;
}
