import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { diffWords } from './word-diff.ts';
import type { DiffPart } from './word-diff.ts';

/** One side of a conflict. `isKept` is undefined if it does not depend on a choice. */
type ConflictSide = { title: string; lines: readonly string[]; isKept?: boolean };

type Props = { label: ReactNode; sides: readonly [ConflictSide, ConflictSide]; children?: ReactNode };

/** The two versions of the same lines, next to each other on wide screens, with the words in which they differ marked. */
export function ConflictColumns({ label, sides, children }: Props) {
  const marked = markDifferences(sides[0].lines, sides[1].lines);
  return (
    <div className="overflow-hidden rounded-medium border border-line-strong bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-2">
        <span className="min-w-0 text-small font-medium break-words">{label}</span>
        {children}
      </div>
      <div className="grid wide:grid-cols-2 wide:divide-x wide:divide-line">
        {sides.map((side, index) => (
          <Column key={side.title} side={side} lines={marked[index] ?? []} />
        ))}
      </div>
    </div>
  );
}

function Column({ side: { title, isKept }, lines }: { side: ConflictSide; lines: DiffPart[][] }) {
  const text = useText().conflict;
  return (
    <div className={`min-w-0 px-3 py-2 ${isKept === true ? 'bg-good-soft' : ''}`}>
      <h3 className="text-tiny font-semibold text-soft">{title}</h3>
      <pre
        className={`mt-1 max-h-80 overflow-y-auto font-mono text-small break-words whitespace-pre-wrap ${isKept === false ? 'text-soft line-through' : ''}`}
      >
        {lines.length === 0 && <em>{text.nothing}</em>}
        {lines.map((parts, row) => (
          <Fragment key={row}>
            {row > 0 && '\n'}
            {parts.map((part, at) =>
              part.isChanged ? (
                <mark key={at} className="rounded-small bg-mark text-inherit">
                  {part.text}
                </mark>
              ) : (
                part.text
              ),
            )}
          </Fragment>
        ))}
      </pre>
    </div>
  );
}

/** Lines of both sides; the words that differ are marked in lines at the same place. */
function markDifferences(left: readonly string[], right: readonly string[]): [DiffPart[][], DiffPart[][]] {
  const pairs = left.map((line, row) => {
    const other = right[row];
    return other === undefined || left.length !== right.length ? null : diffWords(line, other);
  });
  const plain = (line: string): DiffPart[] => [{ text: line, isChanged: false }];
  return [
    left.map((line, row) => pairs[row]?.before ?? plain(line)),
    right.map((line, row) => pairs[row]?.after ?? plain(line)),
  ];
}
