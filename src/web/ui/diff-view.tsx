import { useText } from '../text/use-text.ts';
import { parseDiff } from './parse-diff.ts';
import type { DiffLine } from './parse-diff.ts';

const rows: Record<DiffLine['kind'], { sign: string; look: string }> = {
  added: { sign: '+', look: 'bg-good-soft text-good' },
  removed: { sign: '−', look: 'bg-danger-soft text-danger' },
  same: { sign: ' ', look: 'text-soft' },
};

/** A unified diff, with the numbers of both sides. Signs say what colours say. */
export function DiffView({ diff }: { diff: string }) {
  const text = useText();
  const hunks = parseDiff(diff);
  if (hunks.length === 0) return <p className="px-3 py-2 text-small text-soft">{text.history.noDiff}</p>;
  return (
    <div
      className="max-h-[28rem] overflow-auto py-1 font-mono text-tiny"
      role="region"
      aria-label={text.diff.label}
      // Scrolls, so the keyboard must reach it.
      tabIndex={0}
    >
      {hunks.map((hunk, index) => (
        <div key={`${hunk.oldStart}-${hunk.newStart}`} className="min-w-fit">
          {index > 0 && <div className="px-3 py-1 text-soft select-none">{text.diff.skipped}</div>}
          {hunk.lines.map((line) => (
            <Row key={`${line.oldLine}-${line.newLine}`} line={line} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Row({ line }: { line: DiffLine }) {
  const { sign, look } = rows[line.kind];
  return (
    <div className={`flex min-h-5 ${look}`}>
      <span className="w-10 shrink-0 pr-2 text-right leading-5 opacity-80 select-none" aria-hidden>
        {line.newLine ?? line.oldLine}
      </span>
      <span className="w-4 shrink-0 leading-5">{sign}</span>
      <span
        className={`pr-3 leading-5 whitespace-pre-wrap break-words min-w-0 flex-1 ${line.kind === 'same' ? '' : 'text-ink'}`}
      >
        {line.text}
      </span>
    </div>
  );
}
