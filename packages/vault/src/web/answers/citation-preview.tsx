import { useEffect, useId, useRef, useState } from 'react';
import type { FocusEvent, MouseEvent, ReactNode } from 'react';
import { Passage } from '../file/passage.tsx';
import type { PassageMarks } from '../file/mark-passage.ts';
import { useText } from '../text/use-text.ts';
import { PathLabel } from '../ui/path-label.tsx';
import { sourceElementId } from './citations.ts';
import type { Source } from './group-blocks.ts';

type Props = {
  answer: string;
  sources: readonly Source[];
  marksOf: (source: Source) => PassageMarks;
  /** The overview, with links to the sources. */
  children: ReactNode;
};

/** How long the preview stays when the pointer leaves the link, so that the pointer can reach it, in milliseconds. */
const closeDelayMs = 150;
const maxLines = 8;

/** Shows the source of a citation while the pointer or the focus is on it. Escape closes it. */
export function CitationPreview({ answer, sources, marksOf, children }: Props) {
  const { answer: text } = useText();
  const [shown, setShown] = useState<{ source: Source; link: HTMLElement } | null>(null);
  const container = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const id = useId();
  const show = ({ target }: MouseEvent | FocusEvent): void => {
    const link = (target as HTMLElement).closest<HTMLElement>('a[href*="#source-"]');
    const source = sources.find(
      ({ number }) => link?.getAttribute('href')?.endsWith(`#${sourceElementId(answer, number)}`) === true,
    );
    if (link === null || source === undefined) return;
    clearTimeout(timer.current);
    setShown({ source, link });
  };
  const hideSoon = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(null), closeDelayMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (shown === null) return;
    shown.link.setAttribute('aria-describedby', id);
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setShown(null);
    };
    window.addEventListener('keydown', close);
    return () => {
      shown.link.removeAttribute('aria-describedby');
      window.removeEventListener('keydown', close);
    };
  }, [shown, id]);
  const [range] = shown?.source.ranges ?? [];
  return (
    <div
      ref={container}
      className="relative"
      onMouseOver={show}
      onFocus={show}
      onMouseLeave={hideSoon}
      onMouseOut={hideSoon}
      onBlur={hideSoon}
    >
      {children}
      {shown !== null && range !== undefined && (
        <div
          id={id}
          role="tooltip"
          onMouseOver={() => clearTimeout(timer.current)}
          style={placeBelow(shown.link, container.current)}
          className="absolute z-30 max-h-72 w-[min(30rem,100%)] overflow-auto rounded-medium border border-line bg-raised shadow-raised"
        >
          <p className="flex gap-2 border-b border-line px-3 py-2 text-small">
            <span className="sr-only">{text.evidence(1)}</span>
            <span className="text-tiny font-semibold text-soft">[{shown.source.number}]</span>
            <PathLabel path={shown.source.path.replace(/^vault\//, '')} />
          </p>
          <Passage
            path={shown.source.path.replace(/^vault\//, '')}
            lines={range.block.text.split('\n').slice(0, maxLines)}
            start={range.block.start}
            marks={marksOf(shown.source)}
          />
        </div>
      )}
    </div>
  );
}

/** Below the link, within the width of the overview. */
function placeBelow(link: HTMLElement, container: HTMLElement | null): { left: number; top: number } {
  if (container === null) return { left: 0, top: 0 };
  const [at, area] = [link.getBoundingClientRect(), container.getBoundingClientRect()];
  const width = Math.min(480, area.width);
  return {
    left: Math.max(0, Math.min(at.left - area.left, area.width - width)),
    top: at.bottom - area.top + 4,
  };
}
