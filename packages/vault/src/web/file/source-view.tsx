import { useEffect, useRef } from 'react';
import type { LineRange } from './line-range.ts';
import { useSelectLines } from './rendered-note.tsx';

type Props = { lines: readonly string[]; range: LineRange | null };

/** Number of lines per block. The browser lays out only blocks near the viewport. */
const linesPerBlock = 200;

/** The source of a file, line by line. */
export function SourceView({ lines, range }: Props) {
  const view = useRef<HTMLDivElement>(null);
  const select = useSelectLines(range);
  const start = range?.start ?? 0;
  useEffect(() => {
    if (start > 0) view.current?.querySelector(`[data-line="${start}"]`)?.scrollIntoView({ block: 'center' });
  }, [start]);
  const starts = Array.from(
    { length: Math.ceil(lines.length / linesPerBlock) },
    (_, index) => index * linesPerBlock,
  );
  return (
    <div ref={view} onClick={select} className="font-mono text-small">
      {starts.map((first) => (
        <div
          key={first}
          className="[content-visibility:auto]"
          style={{ containIntrinsicSize: `auto ${Math.min(linesPerBlock, lines.length - first) * 20}px` }}
        >
          {lines.slice(first, first + linesPerBlock).map((line, index) => {
            const number = first + index + 1;
            const isMarked = range !== null && number >= range.start && number <= range.end;
            return (
              <div key={number} className={`flex min-h-5 ${isMarked ? 'bg-mark' : ''}`}>
                <a
                  className="ln w-(--gutter) shrink-0 pr-(--gutter-gap) text-right text-tiny leading-5 text-soft select-none hover:text-accent"
                  data-line={number}
                  href={`#L${number}`}
                  tabIndex={-1}
                  aria-hidden="true"
                >
                  {number}
                </a>
                <span className="min-w-0 flex-1 leading-5 break-words whitespace-pre-wrap">{line}</span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
