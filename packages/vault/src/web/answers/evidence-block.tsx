import { Link, useLocation } from '@tanstack/react-router';
import { Check, CircleAlert, MoveVertical, Replace } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Answer, ReplacedValue } from '../../contract/index.ts';
import type { VerifiedBlock } from '../api/answers-api.ts';
import { formatLineRange } from '../file/line-range.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Collapsible, collapsibleLinkClass } from '../ui/collapsible.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import { SourceComparison } from './source-comparison.tsx';
import { useFormatReplaced } from './use-format-replaced.ts';

type Props = {
  /** The id that citations in the overview link to. */
  id: string;
  number: number;
  block: Answer['blocks'][number];
  checked: VerifiedBlock | undefined;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
};

/** The cited lines of a source, verbatim, with a link to their current position. */
export function EvidenceBlock({ id, number, block, checked, isOpen, onChange }: Props) {
  const text = useText();
  const path = block.path.replace(/^vault\//, '');
  // The latest check is more recent than the data stored with the answer.
  const { replaced = [] } = checked === undefined || checked.state === 'changed' ? block : checked;
  const now = checked?.state === 'moved' ? checked.now : { start: block.start, end: block.end };
  const lines = block.text.split('\n');
  const { container, isTarget } = useScrollTarget(id, () => onChange(true));
  return (
    <div ref={container} id={id} className={`rounded-medium ${isTarget ? 'outline-2 outline-accent' : ''}`}>
      <Collapsible
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
        actions={
          <>
            <StateBadge checked={checked} />
            <Link
              to="/file/$"
              params={{ _splat: path }}
              hash={formatLineRange(now)}
              className={collapsibleLinkClass}
            >
              {text.file.lines(now.start, now.end)}
            </Link>
          </>
        }
      >
        {replaced.map((entry) => (
          <ReplacedLine key={entry.lines.start} entry={entry} />
        ))}
        {checked?.state === 'changed' ? (
          <SourceComparison path={path} then={{ start: block.start, lines }} />
        ) : (
          <Link
            to="/file/$"
            params={{ _splat: path }}
            hash={formatLineRange(now)}
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
      </Collapsible>
    </div>
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

function StateBadge({ checked }: { checked: VerifiedBlock | undefined }) {
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
