import { Link, useLocation } from '@tanstack/react-router';
import { Check, CircleAlert, MoveVertical, Replace } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Answer, ReplacedValue } from '../../contract/index.ts';
import type { Verified } from '../api/answers-api.ts';
import { showLineRange } from '../file/line-range.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Fold, foldLink } from '../ui/fold.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import { ThenAndNow } from './then-and-now.tsx';
import { useReplaced } from './use-replaced.ts';

type Props = {
  /** By which the overview leads here. */
  id: string;
  number: number;
  block: Answer['blocks'][number];
  checked: Verified | undefined;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
};

/** Source lines of an answer, word for word; the link leads to where they are now. */
export function EvidenceBlock({ id, number, block, checked, isOpen, onChange }: Props) {
  const text = useText();
  const path = block.path.replace(/^vault\//, '');
  // What was found out last counts; until then, what the answer came with.
  const { replaced = [] } = checked === undefined || checked.state === 'changed' ? block : checked;
  const now = checked?.state === 'moved' ? checked.now : { start: block.start, end: block.end };
  const lines = block.text.split('\n');
  const { place, isTarget } = useTarget(id, () => onChange(true));
  return (
    <div ref={place} id={id} className={`rounded-medium ${isTarget ? 'outline-2 outline-accent' : ''}`}>
      <Fold
        isOpen={isOpen}
        onChange={onChange}
        title={
          <span className="flex min-w-0 items-baseline gap-2">
            <span className="text-tiny font-semibold text-soft">[{number}]</span>
            <span className="min-w-0 flex-1">
              <PathLabel path={path} />
            </span>
          </span>
        }
        aside={
          <>
            <StateBadge checked={checked} />
            <Link to="/file/$" params={{ _splat: path }} hash={showLineRange(now)} className={foldLink}>
              {text.file.lines(now.start, now.end)}
            </Link>
          </>
        }
      >
        {replaced.map((entry) => (
          <ReplacedLine key={entry.lines.start} entry={entry} />
        ))}
        {checked?.state === 'changed' ? (
          <ThenAndNow path={path} then={{ start: block.start, lines }} />
        ) : (
          <Link
            to="/file/$"
            params={{ _splat: path }}
            hash={showLineRange(now)}
            tabIndex={-1}
            aria-hidden
            className="block py-2 font-mono text-small hover:bg-hover"
          >
            {lines.map((line, index) => (
              <span key={index} className="flex">
                <span className="w-(--gutter) shrink-0 pr-(--gutter-gap) text-right text-tiny leading-5 text-soft select-none">
                  {block.start + index}
                </span>
                <span className="min-w-0 flex-1 pr-3 leading-5 break-words whitespace-pre-wrap">{line}</span>
              </span>
            ))}
          </Link>
        )}
      </Fold>
    </div>
  );
}

/** Whether the address names this; then it is opened and brought into view. */
function useTarget(id: string, open: () => void) {
  const place = useRef<HTMLDivElement>(null);
  const isTarget = useLocation({ select: ({ hash }) => hash === id });
  const opening = useRef(open);
  opening.current = open;
  useEffect(() => {
    if (!isTarget) return;
    opening.current();
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [isTarget]);
  return { place, isTarget };
}

/** Leads to what replaces it. */
function ReplacedLine({ entry }: { entry: ReplacedValue }) {
  const say = useReplaced();
  const { path, line } = entry.by;
  return (
    <Link
      to="/file/$"
      params={{ _splat: path.replace(/^vault\//, '') }}
      hash={showLineRange({ start: line, end: line })}
      className="flex gap-2 border-b border-line bg-warn-soft px-3 py-2 text-small text-warn"
    >
      <Replace aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{say(entry)}</span>
    </Link>
  );
}

const badges = {
  same: { tone: 'good', Icon: Check },
  moved: { tone: 'good', Icon: MoveVertical },
  changed: { tone: 'warn', Icon: CircleAlert },
} as const;

function StateBadge({ checked }: { checked: Verified | undefined }) {
  const { states } = useText().answer;
  if (checked === undefined) return <Badge>{states.checking}</Badge>;
  const { tone, Icon } = badges[checked.state];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className="size-3" />
      {states[checked.state]}
    </Badge>
  );
}
