import type { ForgetPassage } from '../contract/index.ts';
import { hasContent, lineAt, listLines, parseTextLines } from './parse-text-lines.ts';
import type { TextLine } from './parse-text-lines.ts';
import { sentencesAround } from './sentences.ts';
import { applyEdits, mergeSpans } from './text-edits.ts';
import type { Span, TextEdit } from './text-edits.ts';

/** The sentences that the edits change, as they are and as they will be. `named` are the words that the user asked to forget. */
export function describeEdits(
  text: string,
  edits: readonly TextEdit[],
  { named, marker }: { named: readonly Span[]; marker: string },
): ForgetPassage[] {
  const lines = parseTextLines(text);
  const sentences = sentencesAround(text, lines, edits, { withBlocks: false });
  const units = mergeSpans([...sentences, ...findNumbers(text, lines, edits)]);
  return units.flatMap((unit) => {
    const start = unit.start + text.slice(unit.start, unit.end).search(/\S|$/);
    const end = start + text.slice(start, unit.end).trimEnd().length;
    if (!hasContent(text.slice(start, end))) return [];
    const before = splitByFate(text, { start, end }, edits, { named, marker });
    const after = applyEdits(text, edits, start, end).trim();
    return [{ line: lineAt(lines, start) + 1, before, after, count: 1 }];
  });
}

/** The lines of list items of which the number is removed. */
function findNumbers(text: string, lines: readonly TextLine[], edits: readonly Span[]): Span[] {
  return edits.flatMap((edit) =>
    listLines(lines, edit).flatMap((index) => {
      const { start, body } = lines[index] as TextLine;
      const isNumbered = edit.start < body.start && hasContent(text.slice(start, body.start));
      return isNumbered ? [{ start, end: body.end }] : [];
    }),
  );
}

function splitByFate(
  text: string,
  { start, end }: Span,
  edits: readonly TextEdit[],
  { named, marker }: { named: readonly Span[]; marker: string },
): ForgetPassage['before'] {
  const borders = [...edits, ...named].flatMap((span) => [span.start, span.end]);
  const positions = [...new Set([start, ...borders, end])].filter((at) => at >= start && at <= end);
  const sorted = positions.toSorted((a, b) => a - b);
  const parts: ForgetPassage['before'] = [];
  for (const [index, from] of sorted.slice(0, -1).entries()) {
    const to = sorted[index + 1] ?? end;
    const piece = text.slice(from, to);
    const isIn = (span: Span): boolean => span.start <= from && to <= span.end;
    const edit = edits.find(isIn);
    const isNamed = named.some(isIn);
    // The rest of a link that is renamed.
    const isKept = edit === undefined || (edit.insert !== marker && edit.insert.includes(piece) && !isNamed);
    const fate = isKept ? 'stays' : isNamed || !hasContent(piece) ? 'goes' : 'goes-too';
    const last = parts.at(-1);
    if (last?.fate === fate) last.text += piece;
    else parts.push({ text: piece, fate });
  }
  return parts;
}
