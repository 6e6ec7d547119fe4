import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Button } from './button.tsx';
import { markWords } from './mark-words.ts';
import type { Part } from './mark-words.ts';
import { countLines, parseDiff } from './parse-diff.ts';
import type { DiffLine, Hunk } from './parse-diff.ts';

const rows: Record<DiffLine['kind'], { sign: string; look: string; mark: string }> = {
  added: { sign: '+', look: 'bg-good-soft text-good', mark: 'bg-good-mark' },
  removed: { sign: '−', look: 'bg-danger-soft text-danger', mark: 'bg-danger-mark' },
  same: { sign: ' ', look: 'text-soft', mark: '' },
  remark: { sign: ' ', look: 'bg-sunken text-soft italic', mark: '' },
};

/** Rows that are drawn without being asked for, and with each wish for more. */
const drawnAtFirst = 200;
const drawnMore = 1_000;

const number = 'w-9 shrink-0 pr-1 text-right leading-5 text-soft select-none tabular-nums';

/**
 * A unified diff with its line numbers; where there is room, what went stands beside what came. Signs say what colours say, and
 * words that differ are marked.
 */
export function DiffView({ diff }: { diff: string }) {
  const text = useText();
  const hunks = useMemo(() => parseDiff(diff), [diff]);
  const grouped = useMemo(() => hunks.map(({ lines }) => groupsOf(lines)), [hunks]);
  const [most, setMost] = useState(drawnAtFirst);
  const total = rowsIn(grouped.flat());
  const { added, removed } = countLines(hunks);
  let left = most;
  if (hunks.length === 0) return <p className="px-3 py-2 text-small text-soft">{text.history.noDiff}</p>;
  return (
    <div
      className="max-h-[28rem] overflow-auto py-1 font-mono text-tiny"
      role="region"
      aria-label={text.diff.label}
      // Scrolls, so the keyboard must reach it.
      tabIndex={0}
    >
      {hunks.map((hunk, index) => {
        const groups = firstRows(grouped[index] ?? [], left);
        left -= rowsIn(groups);
        return groups.length === 0 ? null : (
          <div key={`${hunk.oldStart}-${hunk.newStart}`}>
            {index > 0 && (
              <div className="my-1 bg-sunken text-soft select-none">
                <div className="w-9 pr-1 text-right leading-5">{text.diff.skipped}</div>
              </div>
            )}
            <Lines groups={groups} isBeside={added > 0 && removed > 0} isLong={total > drawnAtFirst} />
          </div>
        );
      })}
      {total > most && (
        <Button look="quiet" className="m-2" onClick={() => setMost(most + drawnMore)}>
          {text.diff.moreLines(total - most)}
        </Button>
      )}
    </div>
  );
}

/** As many rows as are laid out together, when they come into sight, and how high one is at least. */
const together = 50;
const rowHeight = 20;

/** Lines that came and went in one place, and those between. */
type Group = { kept: DiffLine[]; removed: DiffLine[]; added: DiffLine[] };

function groupsOf(lines: Hunk['lines']): Group[] {
  const groups: Group[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const isKept = line.kind === 'same' || line.kind === 'remark';
    const isNext =
      last === undefined ||
      last.kept.length >= together ||
      (isKept && last.removed.length + last.added.length > 0) ||
      (line.kind === 'removed' && last.added.length > 0);
    const group = isNext ? { kept: [], removed: [], added: [] } : last;
    if (isNext) groups.push(group);
    (isKept ? group.kept : line.kind === 'added' ? group.added : group.removed).push(line);
  }
  return groups;
}

const rowsIn = (groups: readonly Group[]): number =>
  groups.reduce(
    (sum, { kept, removed, added }) => sum + kept.length + Math.max(removed.length, added.length),
    0,
  );

/** What came stays beside what went, also where there is too much of both. */
function firstRows(groups: readonly Group[], most: number): Group[] {
  const taken: Group[] = [];
  let left = most;
  for (const { kept, removed, added } of groups) {
    if (left <= 0) break;
    if (kept.length > 0) taken.push({ kept: kept.slice(0, left), removed: [], added: [] });
    left -= kept.length;
    const pairs = Math.min(Math.max(removed.length, added.length), left);
    for (let at = 0; at < pairs; at += together) {
      const end = Math.min(at + together, pairs);
      taken.push({ kept: [], removed: removed.slice(at, end), added: added.slice(at, end) });
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
      style={isLong ? { containIntrinsicSize: `auto ${rowsIn([group]) * rowHeight}px` } : undefined}
    >
      {group.kept.map((line, at) => (
        <div key={at} className={`grid grid-cols-1 ${columns}`}>
          {/* On both sides, and said once. */}
          {isBeside && (
            <div aria-hidden className="hidden min-[75rem]:block">
              <Row line={line} side="old" />
            </div>
          )}
          <Row line={line} side="new" />
        </div>
      ))}
      {/* In one column all that went comes first. */}
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
    () => (removed === undefined || added === undefined ? null : markWords(removed.text, added.text)),
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

type RowProps = { line: DiffLine; side: 'old' | 'new'; parts?: readonly Part[] | undefined };

function Row({ line, side, parts }: RowProps) {
  const { sign, look, mark } = rows[line.kind];
  const isChange = line.kind === 'added' || line.kind === 'removed';
  const content: ReactNode = parts?.map((part, index) =>
    part.isMarked ? (
      <mark key={index} className={`rounded-small text-ink ${mark}`}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
  return (
    <div className={`flex h-full min-h-5 ${look}`}>
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
