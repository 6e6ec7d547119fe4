import { useMemo, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { Button } from './button.tsx';
import { parseDiff } from './parse-diff.ts';
import type { DiffLine } from './parse-diff.ts';

const rows: Record<DiffLine['kind'], { sign: string; look: string }> = {
  added: { sign: '+', look: 'bg-good-soft text-good' },
  removed: { sign: '−', look: 'bg-danger-soft text-danger' },
  same: { sign: ' ', look: 'text-soft' },
  remark: { sign: ' ', look: 'bg-sunken text-soft italic' },
};

/** Lines that are drawn without being asked for, and with each wish for more. */
const drawnAtFirst = 300;
const drawnMore = 2_000;

const number = 'w-9 shrink-0 pr-1 text-right leading-5 text-soft select-none tabular-nums';

/** A unified diff, with the numbers of both sides, or of the new one where there is little room. Signs say what colours say. */
export function DiffView({ diff }: { diff: string }) {
  const text = useText();
  const hunks = useMemo(() => parseDiff(diff), [diff]);
  const [most, setMost] = useState(drawnAtFirst);
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
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
        const lines = hunk.lines.slice(0, Math.max(left, 0));
        left -= hunk.lines.length;
        return lines.length === 0 ? null : (
          <div key={`${hunk.oldStart}-${hunk.newStart}`} className="min-w-fit">
            {index > 0 && (
              <div className="my-1 bg-sunken text-soft select-none">
                <div className="w-9 pr-1 text-right leading-5">{text.diff.skipped}</div>
              </div>
            )}
            {lines.map((line, at) => (
              <Row
                key={line.kind === 'remark' ? `remark-${at}` : `${line.oldLine}-${line.newLine}`}
                line={line}
              />
            ))}
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

function Row({ line }: { line: DiffLine }) {
  const { sign, look } = rows[line.kind];
  return (
    <div className={`flex min-h-5 ${look}`}>
      <span className={`${number} max-wide:hidden`} aria-hidden>
        {line.oldLine}
      </span>
      <span className={number} aria-hidden>
        {line.newLine}
      </span>
      <span className="w-5 shrink-0 pl-1 leading-5">{sign}</span>
      <span
        className={`pr-3 leading-5 whitespace-pre-wrap break-words min-w-0 flex-1 ${line.kind === 'added' || line.kind === 'removed' ? 'text-ink' : ''}`}
      >
        {line.text}
      </span>
    </div>
  );
}
