import { foldLines } from '../contract/index.ts';
import { parseHeader, pluralize, splitDocument } from '../vault/index.ts';
import { quoteForUser } from './quote-for-shell.ts';

/** Folds the source lines of an answer for a terminal. A folded line says how to show the rest without asking again. */
export function foldAnswer(document: string): string {
  const parts = splitDocument(document);
  const blocks = parts.filter((part) => typeof part === 'object');
  const shown = foldLines(blocks.map(({ lines }) => lines.length));
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const { fence, header, lines } = part;
      const count = shown[blocks.indexOf(part)] ?? lines.length;
      const hidden = lines.slice(count);
      const rest = hidden.length === 0 ? [] : [formatFolded(parseHeader(header), hidden)];
      return [`${fence}${header}`, ...lines.slice(0, count), ...rest, fence].join('\n');
    })
    .join('\n');
}

function formatFolded(path: string, hidden: readonly string[]): string {
  const numbers = hidden.flatMap((line) => /^\d+/.exec(line) ?? []);
  const place = quoteForUser(`${path}:${numbers[0]}-${numbers.at(-1)}`);
  return `   | ... ${pluralize(hidden.length, 'more line')}; show them with: keepsake read ${place}`;
}
