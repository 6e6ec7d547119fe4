import { Link, useLocation } from '@tanstack/react-router';
import { Check, CircleAlert, MoveVertical, Replace } from 'lucide-react';
import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import { maxUnfoldedLines } from '../../contract/index.ts';
import type { ReplacedValue } from '../../contract/index.ts';
import type { VerifiedBlock } from '../api/answers-api.ts';
import { ExtractedLabel } from '../file/extracted-label.tsx';
import { formatLineRange } from '../file/line-range.ts';
import type { PassageMarks } from '../file/mark-passage.ts';
import { findBestLine } from '../file/passage-fragment.ts';
import { Passage } from '../file/passage.tsx';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Collapsible, collapsibleLinkClass } from '../ui/collapsible.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import type { Source } from './group-blocks.ts';
import { SourceComparison } from './source-comparison.tsx';
import { useFormatReplaced } from './use-format-replaced.ts';

type Props = {
  /** The id that citations in the overview link to. */
  id: string;
  source: Source;
  /** How many lines are shown at first; 0 if the block is collapsed at first. */
  shownLines: number;
  /** What to mark in the lines. */
  marks: PassageMarks;
  /** Whether the answer was just given, so that unchanged sources say nothing new. */
  isFresh: boolean;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
};

/** The cited lines of a source as they are read, with the cited sentence marked, and links to their current position. */
export function EvidenceBlock({ id, source, shownLines, marks, isFresh, isOpen, onChange }: Props) {
  const text = useText();
  const { ranges, lineCount, state } = source;
  const path = source.path.replace(/^vault\//, '');
  const { container, isTarget } = useScrollTarget(id, () => onChange(true));
  const [isUnfolded, setIsUnfolded] = useState(false);
  // A block that was collapsed at first has no lines of its own yet.
  const usual = shownLines === 0 ? maxUnfoldedLines : shownLines;
  const folded = Math.min(lineCount, Math.max(usual, citedLine(source, marks) + 1));
  const limit = isUnfolded ? lineCount : folded;
  return (
    <div ref={container} id={id} className={`rounded-medium ${isTarget ? 'outline-2 outline-accent' : ''}`}>
      <Collapsible
        isOpen={isOpen}
        onChange={onChange}
        title={
          <span className="flex min-w-0 items-baseline gap-2">
            <span className="text-tiny font-semibold text-soft">[{source.number}]</span>
            <span className="min-w-0 flex-1">
              <PathLabel path={path} />
            </span>
          </span>
        }
        actions={
          <>
            <ExtractedLabel extracted={joinExtracted(ranges)} />
            {!(isFresh && (state === 'same' || state === undefined)) && <StateBadge state={state} />}
            {ranges.map((range) => {
              const now = currentLines(range);
              return (
                <Link
                  key={now.start}
                  to="/file/$"
                  params={{ _splat: path }}
                  hash={formatLineRange(now)}
                  className={collapsibleLinkClass}
                >
                  {text.file.lines(now.start, now.end)}
                </Link>
              );
            })}
          </>
        }
      >
        {takeLines(ranges, limit).map(({ range, shown }, index) => (
          <Fragment key={index}>
            {index > 0 && <div aria-hidden className="border-t border-dashed border-line" />}
            <RangeLines path={path} range={range} shown={shown} marks={marks} />
          </Fragment>
        ))}
        {limit < lineCount && (
          <Button variant="ghost" className="m-1" onClick={() => setIsUnfolded(true)}>
            {text.answer.moreLines(lineCount - limit)}
          </Button>
        )}
      </Collapsible>
    </div>
  );
}

/** The number of the line with the cited sentence among all lines of the source; 0 if it is unknown or far down. */
function citedLine({ ranges }: Source, { sentence }: PassageMarks): number {
  const best = findBestLine(
    ranges.flatMap(({ block }) => block.text.split('\n')),
    sentence,
  );
  return best < maxLinesToCitation ? best + 1 : 0;
}

/** A longer source stays folded, although its cited sentence is not visible then. */
const maxLinesToCitation = 60;

type Range = Source['ranges'][number];

/** The pages of all ranges of a source. */
function joinExtracted(ranges: Source['ranges']): Range['block']['extracted'] {
  const [first] = ranges;
  if (first?.block.extracted === undefined) return undefined;
  const pages = ranges.flatMap(({ block }) => block.extracted?.pages ?? []);
  if (pages.length === 0) return first.block.extracted;
  const start = Math.min(...pages.map((each) => each.start));
  const end = Math.max(...pages.map((each) => each.end));
  return { pages: { start, end } };
}

function currentLines({ block, checked }: Range): { start: number; end: number } {
  return checked?.state === 'moved' ? checked.now : { start: block.start, end: block.end };
}

/** The ranges that contain the first `limit` lines, and how many lines of each. */
function takeLines(ranges: readonly Range[], limit: number): { range: Range; shown: number }[] {
  let remaining = limit;
  const taken: { range: Range; shown: number }[] = [];
  for (const range of ranges) {
    const shown = Math.min(remaining, range.block.text.split('\n').length);
    if (shown > 0) taken.push({ range, shown });
    remaining -= shown;
  }
  return taken;
}

/** The first lines of a range, or both versions if they have changed. */
type RangeProps = { path: string; range: Range; shown: number; marks: PassageMarks };

function RangeLines({ path, range, shown, marks }: RangeProps) {
  const { block, checked } = range;
  // The latest check is more recent than the data stored with the answer.
  const { replaced = [] } = checked === undefined || checked.state === 'changed' ? block : checked;
  const lines = useMemo(() => block.text.split('\n'), [block.text]);
  const shownLines = useMemo(() => lines.slice(0, shown), [lines, shown]);
  return (
    <>
      {replaced.map((entry) => (
        <ReplacedLine key={entry.lines.start} entry={entry} />
      ))}
      {checked?.state === 'changed' ? (
        <SourceComparison
          path={path}
          isExtracted={block.extracted !== undefined}
          then={{ start: block.start, lines }}
        />
      ) : (
        <Passage path={path} lines={shownLines} start={currentLines(range).start} marks={marks} />
      )}
    </>
  );
}

/** Opens the block and scrolls it into view if the hash of the URL names it. */
function useScrollTarget(id: string, open: () => void) {
  const container = useRef<HTMLDivElement>(null);
  const isTarget = useLocation({ select: ({ hash }) => hash === id });
  const opening = useRef(open);
  opening.current = open;
  useEffect(() => {
    if (!isTarget) return;
    opening.current();
    container.current?.scrollIntoView({ block: 'nearest' });
  }, [isTarget]);
  return { container, isTarget };
}

/** Links to the entry that replaces this one. */
function ReplacedLine({ entry }: { entry: ReplacedValue }) {
  const formatReplaced = useFormatReplaced();
  const { path, line } = entry.by;
  return (
    <Link
      to="/file/$"
      params={{ _splat: path.replace(/^vault\//, '') }}
      hash={formatLineRange({ start: line, end: line })}
      className="flex gap-2 border-b border-line bg-warn-soft px-3 py-2 text-small text-warn"
    >
      <Replace aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{formatReplaced(entry)}</span>
    </Link>
  );
}

const badges = {
  same: { tone: 'good', Icon: Check },
  moved: { tone: 'good', Icon: MoveVertical },
  changed: { tone: 'warn', Icon: CircleAlert },
} as const;

function StateBadge({ state }: { state: VerifiedBlock['state'] | undefined }) {
  const { states } = useText().answer;
  if (state === undefined) return <Badge>{states.checking}</Badge>;
  const { tone, Icon } = badges[state];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className="size-3" />
      {states[state]}
    </Badge>
  );
}
