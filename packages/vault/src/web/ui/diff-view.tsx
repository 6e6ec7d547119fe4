import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Button } from './button.tsx';
import { diffWords } from './word-diff.ts';
import type { DiffPart } from './word-diff.ts';
import { countChangedLines, parseDiff } from './parse-diff.ts';
import type { DiffLine, Hunk } from './parse-diff.ts';

const rows: Record<DiffLine['kind'], { sign: string; className: string; mark: string }> = {
  added: { sign: '+', className: 'bg-good-soft text-good', mark: 'bg-good-mark' },
  removed: { sign: '−', className: 'bg-danger-soft text-danger', mark: 'bg-danger-mark' },
  context: { sign: ' ', className: 'text-soft', mark: '' },
  meta: { sign: ' ', className: 'bg-sunken text-soft italic', mark: '' },
};

/** How many rows are shown at first, and how many each click adds. */
const initialRows = 200;
const rowsPerStep = 1_000;

const number = 'w-9 shrink-0 pr-1 text-right leading-5 text-soft select-none tabular-nums';

/**
 * A unified diff with line numbers; on wide screens, removed and added lines are side by side. Changed words are highlighted, and
 * signs convey the same information as colors.
 */
export function DiffView({ diff }: { diff: string }) {
  const text = useText();
  const hunks = useMemo(() => parseDiff(diff), [diff]);
  const grouped = useMemo(() => hunks.map(({ lines }) => groupChanges(lines)), [hunks]);
  const [rowLimit, setRowLimit] = useState(initialRows);
  const total = countRows(grouped.flat());
  const { added, removed } = countChangedLines(hunks);
  let left = rowLimit;
  if (hunks.length === 0) return <p className="px-3 py-2 text-small text-soft">{text.history.noDiff}</p>;
  return (
    <div
      className="max-h-[28rem] overflow-auto py-1 font-mono text-tiny"
      role="region"
      aria-label={text.diff.label}
      // Scrollable content must be focusable by keyboard.
      tabIndex={0}
    >
      {hunks.map((hunk, index) => {
        const groups = takeRows(grouped[index] ?? [], left);
        left -= countRows(groups);
        return groups.length === 0 ? null : (
          <div key={`${hunk.oldStart}-${hunk.newStart}`}>
            {index > 0 && (
              <div className="my-1 bg-sunken text-soft select-none">
                <div className="w-9 pr-1 text-right leading-5">{text.diff.skipped}</div>
              </div>
            )}
            <Lines groups={groups} isBeside={added > 0 && removed > 0} isLong={total > initialRows} />
          </div>
        );
      })}
      {total > rowLimit && (
        <Button variant="ghost" className="m-2" onClick={() => setRowLimit(rowLimit + rowsPerStep)}>
          {text.diff.moreLines(total - rowLimit)}
        </Button>
      )}
    </div>
  );
}

/** How many rows are laid out together when they become visible, and the minimum height of a row in pixels. */
const rowsPerGroup = 50;
const rowHeight = 20;

/** Unchanged lines, followed by the lines that were removed and added in one place. */
type Group = { context: DiffLine[]; removed: DiffLine[]; added: DiffLine[] };

function groupChanges(lines: Hunk['lines']): Group[] {
  const groups: Group[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const isContext = line.kind === 'context' || line.kind === 'meta';
    const isNext =
      last === undefined ||
      last.context.length >= rowsPerGroup ||
      (isContext && last.removed.length + last.added.length > 0) ||
      (line.kind === 'removed' && last.added.length > 0);
    const group = isNext ? { context: [], removed: [], added: [] } : last;
    if (isNext) groups.push(group);
    (isContext ? group.context : line.kind === 'added' ? group.added : group.removed).push(line);
  }
  return groups;
}

const countRows = (groups: readonly Group[]): number =>
  groups.reduce(
    (sum, { context, removed, added }) => sum + context.length + Math.max(removed.length, added.length),
    0,
  );

/** The first rows of the groups. Added lines stay next to removed ones when both are cut off. */
function takeRows(groups: readonly Group[], rowLimit: number): Group[] {
  const taken: Group[] = [];
  let left = rowLimit;
  for (const { context, removed, added } of groups) {
    if (left <= 0) break;
    if (context.length > 0) taken.push({ context: context.slice(0, left), removed: [], added: [] });
    left -= context.length;
    const pairs = Math.min(Math.max(removed.length, added.length), left);
    for (let at = 0; at < pairs; at += rowsPerGroup) {
      const end = Math.min(at + rowsPerGroup, pairs);
      taken.push({ context: [], removed: removed.slice(at, end), added: added.slice(at, end) });
    }
    left -= Math.max(pairs, 0);
  }
  return taken;
}

type LinesProps = { groups: readonly Group[]; isBeside: boolean; isLong: boolean };

function Lines({ groups, isBeside, isLong }: LinesProps) {
  const columns = isBeside ? 'min-[75rem]:grid-cols-2' : '';
  return groups.map((group, index) => (
    <div
      key={index}
      className={isLong ? '[content-visibility:auto]' : ''}
      style={isLong ? { containIntrinsicSize: `auto ${countRows([group]) * rowHeight}px` } : undefined}
    >
      {group.context.map((line, at) => (
        <div key={at} className={`grid grid-cols-1 ${columns}`}>
          {/* Shown on both sides, but read aloud only once. */}
          {isBeside && (
            <div aria-hidden className="hidden min-[75rem]:block">
              <Row line={line} side="old" />
            </div>
          )}
          <Row line={line} side="new" />
        </div>
      ))}
      {/* In one column, all removed lines come first. */}
      <div className={`grid grid-cols-1 ${columns}`}>
        {Array.from({ length: Math.max(group.removed.length, group.added.length) }, (_, at) => (
          <Pair key={at} removed={group.removed[at]} added={group.added[at]} isBeside={isBeside} />
        ))}
      </div>
    </div>
  ));
}

type PairProps = { removed: DiffLine | undefined; added: DiffLine | undefined; isBeside: boolean };

function Pair({ removed, added, isBeside }: PairProps) {
  const marks = useMemo(
    () => (removed === undefined || added === undefined ? null : diffWords(removed.text, added.text)),
    [removed, added],
  );
  const gap = <div className="hidden bg-sunken min-[75rem]:block" />;
  return (
    <>
      {removed === undefined ? (
        isBeside && gap
      ) : (
        <div className="order-1 min-[75rem]:order-none">
          <Row line={removed} side="old" parts={marks?.before} />
        </div>
      )}
      {added === undefined ? (
        isBeside && gap
      ) : (
        <div className="order-2 min-[75rem]:order-none">
          <Row line={added} side="new" parts={marks?.after} />
        </div>
      )}
    </>
  );
}

type RowProps = { line: DiffLine; side: 'old' | 'new'; parts?: readonly DiffPart[] | undefined };

function Row({ line, side, parts }: RowProps) {
  const { sign, className, mark } = rows[line.kind];
  const isChange = line.kind === 'added' || line.kind === 'removed';
  const content: ReactNode = parts?.map((part, index) =>
    part.isChanged ? (
      <mark key={index} className={`rounded-small text-ink ${mark}`}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
  return (
    <div className={`flex h-full min-h-5 ${className}`}>
      <span className={number} aria-hidden>
        {side === 'old' ? line.oldLine : line.newLine}
      </span>
      <span className="w-5 shrink-0 pl-1 leading-5">{sign}</span>
      <span
        className={`min-w-0 flex-1 pr-3 leading-5 break-words whitespace-pre-wrap ${isChange ? 'text-ink' : ''}`}
      >
        {content ?? line.text}
      </span>
    </div>
  );
}
