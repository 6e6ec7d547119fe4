import type { Receipt, ReceiptFile } from './updates.ts';

type Words = {
  created: string;
  deleted: string;
  movedFrom: (path: string) => string;
  units: Record<ReceiptFile['unit'], (count: number) => string>;
  lines: (added: number, removed: number) => string;
  keptAsReceived: string;
  notFiled: string;
  leftOut: string;
  unsupported: string;
  failedCalls: string;
  quote: (text: string) => string;
};

const words: Record<'en' | 'fr', Words> = {
  en: {
    created: 'created',
    deleted: 'deleted',
    movedFrom: (path) => `moved from ${path}`,
    units: {
      task: (count) => (count === 1 ? 'task' : 'tasks'),
      entry: (count) => (count === 1 ? 'entry' : 'entries'),
    },
    lines: (added, removed) => `+${added} −${removed} ${added + removed === 1 ? 'line' : 'lines'}`,
    keptAsReceived: 'kept as received:',
    notFiled: 'not filed, kept word for word in the changelog:',
    leftOut: 'left out:',
    unsupported: 'not in the input:',
    failedCalls: 'failed and not repeated:',
    quote: (text) => `"${text}"`,
  },
  fr: {
    created: 'créé',
    deleted: 'supprimé',
    movedFrom: (path) => `déplacé depuis ${path}`,
    units: {
      task: (count) => (count === 1 ? 'tâche' : 'tâches'),
      entry: (count) => (count === 1 ? 'entrée' : 'entrées'),
    },
    lines: (added, removed) => `+${added} −${removed} ${added + removed === 1 ? 'ligne' : 'lignes'}`,
    keptAsReceived: 'gardé tel que reçu :',
    notFiled: 'non classé, gardé mot pour mot dans le journal :',
    leftOut: 'laissé de côté :',
    unsupported: 'absent du message :',
    failedCalls: 'échec sans nouvel essai :',
    quote: (text) => `« ${text} »`,
  },
};

const maxListedTitles = 5;
const maxTitleCharacters = 80;

/** The lines of a receipt: one per file, followed by what the user should know. */
export function formatReceipt(receipt: Receipt, language: 'en' | 'fr'): string[] {
  const say = words[language];
  const quoteAll = (texts: readonly string[]): string => texts.map(say.quote).join(', ');
  const note = (label: string, texts: readonly string[]): string[] =>
    texts.length === 0 ? [] : [`${label} ${texts.join(', ')}`];
  const unsupported = receipt.unsupported.map(({ path, values }) => `${quoteAll(values)} (${path})`);
  return [
    ...receipt.files.map((file) => formatFile(file, say)),
    ...note(say.keptAsReceived, receipt.keptAsReceived),
    ...note(say.notFiled, receipt.notFiled.map(say.quote)),
    ...note(say.leftOut, receipt.leftOut.map(say.quote)),
    ...note(say.unsupported, unsupported),
    ...note(say.failedCalls, receipt.failedCalls),
  ];
}

function formatFile(file: ReceiptFile, say: Words): string {
  const { path, change, from, added, removed, linesAdded, linesRemoved } = file;
  const details = [
    ...(change === 'created' ? [say.created] : []),
    ...(change === 'deleted' ? [say.deleted] : []),
    ...(from === undefined ? [] : [say.movedFrom(from)]),
    ...formatTitles('+', added, file, say),
    ...formatTitles('−', removed, file, say),
    // Lines may also have changed in tasks and entries that stay.
    ...(change === 'changed' && removed.length === 0 && (added.length === 0 || linesRemoved > 0)
      ? [say.lines(linesAdded, linesRemoved)]
      : []),
  ];
  return `${path}: ${details.join(', ')}`;
}

function formatTitles(
  sign: '+' | '−',
  titles: readonly string[],
  { unit }: ReceiptFile,
  say: Words,
): string[] {
  if (titles.length === 0) return [];
  const shown = titles.slice(0, maxListedTitles).map((title) => say.quote(shorten(title)));
  const more = titles.length > maxListedTitles ? ', …' : '';
  return [`${sign}${titles.length} ${say.units[unit](titles.length)} (${shown.join(', ')}${more})`];
}

function shorten(title: string): string {
  return title.length > maxTitleCharacters ? `${title.slice(0, maxTitleCharacters - 1)}…` : title;
}
