/** Where the daily notes of a vault are, and how they are named. Both contain the tokens of `formatDay`. */
export type DailyForm = { folder: string; name: string; language: string };

type Paths = { files: readonly string[]; folders: readonly string[] };

/** The form of a vault in which none can be recognized. */
const defaultForm: DailyForm = { folder: 'daily', name: 'YYYY-MM-DD', language: 'en' };

const journal =
  /^[\d._ -]*(?:daily(?:[ _-]?notes?)?|dailies|journals?|diary|journées|notes? quotidiennes?|quotidien(?:nes?)?)$/i;
const names = [
  'YYYY-MM-DD',
  'YYYY-MM-DD dddd',
  'YYYYMMDD',
  'YYYY_MM_DD',
  'YYYY.MM.DD',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'DD.MM.YYYY',
];
const languages = ['en', 'fr'];
const folderForms = ['YYYY', 'YYYY-MM', 'MM'];

/** Recognizes the daily notes of a vault by the names of its files; the most frequent form wins. */
export function recognizeDailyForm({ files, folders }: Paths): DailyForm {
  const found = new Map<string, { form: DailyForm; count: number }>();
  for (const path of files) {
    if (!/\d/.test(path) || !/\.(?:md|markdown)$/i.test(path)) continue;
    for (const form of formsOf(path.replace(/\.\w+$/, ''))) {
      const key = `${form.folder}/${form.name}/${form.language}`;
      const same = found.get(key) ?? { form, count: 0 };
      found.set(key, { form, count: same.count + 1 });
    }
  }
  const isJournal = ({ folder }: DailyForm): boolean => folder.split('/').some((part) => journal.test(part));
  const [best] = [...found.values()]
    .filter(({ form, count }) => count > 1 || isJournal(form))
    .toSorted((a, b) => Number(isJournal(b.form)) - Number(isJournal(a.form)) || b.count - a.count);
  if (best !== undefined) return best.form;
  const folder = folders.find((path) => journal.test(path.slice(path.lastIndexOf('/') + 1)));
  return folder === undefined ? defaultForm : { ...defaultForm, folder };
}

/** The path of the daily note of a day. */
export function dailyPath({ folder, name, language }: DailyForm, day: Date): string {
  const parts = folder === '' ? [] : folder.split('/');
  return [
    ...parts.map((part) => (folderForms.includes(part) ? formatDay(part, day, 'en') : part)),
    `${formatDay(name, day, language)}.md`,
  ].join('/');
}

/**
 * The path of the daily note by the setting of Obsidian; null if its format has parts that `formatDay` does not know, such as the
 * number of a week.
 */
export function dailyPathBySetting(
  { folder, format }: { folder: string; format: string },
  day: Date,
  language: string,
): string | null {
  const unknown = format.replaceAll(/\[[^\]]*\]|YYYY|YY|M{1,4}|D{1,2}|d{3,4}|HH?|mm|ss/g, '');
  if (/[A-Za-z]/.test(unknown) || /(?:^|\/)\.|[<>:"|?*\\]/.test(`${folder}/${unknown}`)) return null;
  return `${folder === '' ? '' : `${folder}/`}${formatDay(format, day, language)}.md`;
}

/** The forms in which a path without its extension may name a day. */
function formsOf(path: string): DailyForm[] {
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  return names.flatMap((name) => {
    const day = readDay(name, last);
    if (day === null) return [];
    const language = name.includes('dddd')
      ? languages.find((each) => formatDay(name, day, each).toLowerCase() === last.toLowerCase())
      : 'en';
    if (language === undefined) return [];
    const folder = parts
      .map((part) => folderForms.find((form) => formatDay(form, day, 'en') === part) ?? part)
      .join('/');
    return [{ folder, name, language }];
  });
}

/** The day that a name stands for; null if it has another form or there is no such day. */
function readDay(form: string, name: string): Date | null {
  const pattern = form
    .replaceAll('.', '\\.')
    .replace('YYYY', '(?<year>(?:19|20)\\d\\d)')
    .replace('MM', '(?<month>\\d\\d)')
    .replace('DD', '(?<date>\\d\\d)')
    .replace('dddd', '\\p{L}+');
  const { year = '', month = '', date = '' } = new RegExp(`^${pattern}$`, 'u').exec(name)?.groups ?? {};
  const day = new Date(Number(year), Number(month) - 1, Number(date));
  return year !== '' && day.getMonth() === Number(month) - 1 && day.getDate() === Number(date) ? day : null;
}

/** Formats a date and time. Text in square brackets is kept; all other letters that are no token, too. */
export function formatDay(form: string, day: Date, language: string): string {
  const two = (value: number): string => `${value}`.padStart(2, '0');
  const word = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(language, options).format(day);
  const tokens: Record<string, () => string> = {
    YYYY: () => `${day.getFullYear()}`,
    YY: () => two(day.getFullYear() % 100),
    MMMM: () => word({ month: 'long' }),
    MMM: () => word({ month: 'short' }),
    MM: () => two(day.getMonth() + 1),
    M: () => `${day.getMonth() + 1}`,
    DD: () => two(day.getDate()),
    D: () => `${day.getDate()}`,
    dddd: () => word({ weekday: 'long' }),
    ddd: () => word({ weekday: 'short' }),
    HH: () => two(day.getHours()),
    H: () => `${day.getHours()}`,
    mm: () => two(day.getMinutes()),
    ss: () => two(day.getSeconds()),
  };
  return form.replaceAll(/\[([^\]]*)\]|YYYY|YY|M{1,4}|DD?|d{3,4}|HH?|mm|ss/g, (token, literal?: string) =>
    literal === undefined ? (tokens[token]?.() ?? token) : literal,
  );
}
