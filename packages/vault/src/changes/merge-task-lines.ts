import { parseTaskFields } from '../contract/index.ts';

/** A line of a task: what both sides may change independently of each other, by kind. */
type TaskLine = {
  /** The line without its fields; each field is replaced by nothing. */
  words: string;
  fields: ReadonlyMap<string, string>;
  /** The line with another value for a field; null removes it. */
  withField: (kind: string, value: string | null) => string;
};

/**
 * Merges the lines of tasks that both sides changed, by field: one side may tick a task while the other gives it a date.
 * Null if the lines are not those of the same tasks, if both sides changed the same field, or if both added lines at one place.
 */
export function mergeTaskLines(
  base: readonly string[],
  a: readonly string[],
  b: readonly string[],
): string[] | null {
  const [ours, theirs] = [alignTasks(base, a), alignTasks(base, b)];
  if (ours === null || theirs === null) return null;
  const merged: string[] = [];
  for (let at = 0; at <= base.length; at += 1) {
    const [mine, other] = [ours.added[at] ?? [], theirs.added[at] ?? []];
    if (mine.length > 0 && other.length > 0) return null;
    merged.push(...mine, ...other);
    if (at === base.length) break;
    const line = mergeTaskLine(base[at] ?? '', ours.lines[at] ?? '', theirs.lines[at] ?? '');
    if (line === null) return null;
    merged.push(line);
  }
  return merged;
}

/** Finds the lines of the tasks of the base in the order of the base, and the lines that were added before and after each. */
function alignTasks(
  base: readonly string[],
  side: readonly string[],
): { lines: readonly string[]; added: string[][] } | null {
  const words = base.map((line) => parseTaskLine(line)?.words);
  if (words.includes(undefined)) return null;
  if (side.length === 1 && base.length === 1) return { lines: side, added: [] };
  const lines: string[] = [];
  const added: string[][] = [[]];
  for (const line of side) {
    const isNext = lines.length < base.length && parseTaskLine(line)?.words === words[lines.length];
    if (isNext) {
      lines.push(line);
      added.push([]);
    } else added.at(-1)?.push(line);
  }
  return lines.length === base.length ? { lines, added } : null;
}

function mergeTaskLine(base: string, a: string, b: string): string | null {
  const [was, mine, theirs] = [parseTaskLine(base), parseTaskLine(a), parseTaskLine(b)];
  if (was === null || mine === null || theirs === null) return null;
  if (mine.words !== was.words && theirs.words !== was.words && mine.words !== theirs.words) return null;
  // With other words it may be another task in the same place.
  if (![mine, theirs].every((side) => isExtension(was.words, side.words))) return null;
  if (a === base || b === base) return a === base ? b : a;
  // The line with other words is kept, and gets the fields that the other side changed.
  const [kept, other, line] = theirs.words === was.words ? [mine, theirs, a] : [theirs, mine, b];
  let result = line;
  for (const kind of new Set([...was.fields.keys(), ...other.fields.keys()])) {
    const [before, own, changed] = [was, kept, other].map(({ fields }) => fields.get(kind));
    if (changed === before || changed === own) continue;
    if (own !== before) return null;
    const parsed = parseTaskLine(result);
    if (parsed === null) return null;
    result = parsed.withField(kind, changed ?? null);
  }
  return result;
}

/** Whether one of the texts has all words of the other. */
function isExtension(a: string, b: string): boolean {
  const [wordsOfA, wordsOfB] = [a, b].map((text) => new Set(text.split(' ')));
  return wordsOfA !== undefined && wordsOfB !== undefined
    ? wordsOfA.isSubsetOf(wordsOfB) || wordsOfB.isSubsetOf(wordsOfA)
    : false;
}

function parseTaskLine(line: string): TaskLine | null {
  return parseCheckbox(line) ?? parseMetadata(line);
}

const checkbox = /^(?<start>[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[)(?<mark>.)(?<end>\]\s+)(?<text>\S.*)$/u;
const time = String.raw`(?:[T ]\d{1,2}(?::\d\d|h(?:\d\d)?)(?: ?[-–] ?\d{1,2}(?::\d\d|h(?:\d\d)?))?)?`;
const day = String.raw`(?:\[\[)?\d{4}-\d\d-\d\d(?:\]\])?${time}`;
const dueNames = 'due|deadline|échéance';
const scheduledNames = 'scheduled|prévue?';
/** The marks of a task in its line, by kind; a mark that has a name is of the kind of this name. */
const marks: readonly [kind: string, pattern: string][] = [
  [
    'due',
    String.raw`[📅📆🗓]\uFE0F? *${day}|@(?:${dueNames})\([^)]*\)|(?<![\p{L}\p{N}[(])(?:${dueNames}) *::? *${day}`,
  ],
  ['scheduled', String.raw`[⏳⌛]\uFE0F? *${day}|(?<![\p{L}\p{N}[(])(?:${scheduledNames}) *::? *${day}`],
  ['start', String.raw`🛫\uFE0F? *${day}`],
  ['created', String.raw`➕\uFE0F? *${day}`],
  ['done', String.raw`✅\uFE0F? *${day}`],
  ['cancelled', String.raw`❌\uFE0F? *${day}`],
  ['time', String.raw`⏰\uFE0F? *\d{1,2}:\d\d`],
  ['priority', String.raw`[🔺⏫🔼🔽⏬]\uFE0F?`],
  ['repeat', String.raw`🔁\uFE0F? *[^📅📆🗓⏳⌛⏰🛫➕✅❌🔺⏫🔼🔽⏬#^[(]+`],
  ['named', String.raw`[[(][\p{L}-]{1,20} *:: *[^\])[(]*[\])]`],
  ['tag', String.raw`(?<![^\s])#[\p{L}\p{N}/_-]+`],
  ['block', String.raw`\^[\w-]+(?=\s*$)`],
];
const mark = new RegExp(marks.map(([kind, pattern]) => `(?<${kind}>${pattern})`).join('|'), 'giu');

function parseCheckbox(line: string): TaskLine | null {
  const { start = '', mark: state = '', end = '', text = '' } = checkbox.exec(line)?.groups ?? {};
  if (text === '') return null;
  const fields = new Map([['state', state]]);
  const places = new Map<string, number>();
  for (const found of text.matchAll(mark)) {
    const kind = kindOf(found);
    // Two marks of one kind cannot be told apart.
    if (fields.has(kind)) return null;
    fields.set(kind, found[0].trim());
    places.set(kind, found.index);
  }
  return {
    words: `${start}${end}${text.replaceAll(mark, ' ').replaceAll(/\s+/g, ' ').trim()}`,
    fields,
    withField(kind, value) {
      if (kind === 'state') return `${start}${value ?? ' '}${end}${text}`;
      const place = places.get(kind);
      if (place === undefined) {
        const [, body = '', block = ''] = /^(.*?)(\s+\^[\w-]+\s*|\s*)$/u.exec(text) ?? [];
        return `${start}${state}${end}${body} ${value ?? ''}${block}`;
      }
      const [before, after] = [text.slice(0, place), text.slice(place + (fields.get(kind) ?? '').length)];
      const rest = value === null ? `${before.trimEnd()}${after}` : `${before}${value}${after}`;
      return start + state + end + rest.trimStart();
    },
  };
}

function kindOf(found: RegExpExecArray): string {
  const [kind = ''] = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
  const text = found[0].toLowerCase();
  if (kind === 'tag') return text;
  if (kind !== 'named') return kind;
  const name = /[\p{L}-]+/u.exec(text)?.[0] ?? '';
  if (new RegExp(`^(?:${dueNames})$`).test(name)) return 'due';
  return new RegExp(`^(?:${scheduledNames})$`).test(name) ? 'scheduled' : name;
}

/** A metadata line below the heading of a task, such as `status: to-do | prio: high`. */
function parseMetadata(line: string): TaskLine | null {
  const parts = parseTaskFields(line);
  if (parts === null) return null;
  const fields = new Map(parts.map(({ key, value }) => [key.toLowerCase(), `${key}: ${value}`]));
  if (fields.size < parts.length) return null;
  return {
    words: parts[0]?.key.toLowerCase() ?? '',
    fields,
    withField(kind, value) {
      const next = new Map(fields);
      if (value === null) next.delete(kind);
      else next.set(kind, value);
      return [...next.values()].join(' | ');
    },
  };
}
