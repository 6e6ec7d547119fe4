import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { FocusEvent, MouseEvent, ReactNode } from 'react';
import { findBestLine, startAtSection } from '../file/passage-fragment.ts';
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

/** Shows the source of a citation while the pointer or the focus is on it. Escape and a click close it. */
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
  return (
    <div
      ref={container}
      className="relative"
      onMouseOver={show}
      onFocus={show}
      // A click leads to the source, which the preview could cover.
      onClick={() => setShown(null)}
      onMouseLeave={hideSoon}
      onMouseOut={hideSoon}
      onBlur={hideSoon}
    >
      {children}
      {shown !== null && (
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
          <CitedLines source={shown.source} marks={marksOf(shown.source)} />
        </div>
      )}
    </div>
  );
}

/** The section with the cited sentence. */
function CitedLines({ source, marks }: { source: Source; marks: PassageMarks }) {
  const { lines, start } = useMemo(() => {
    const all = source.ranges.flatMap(({ block }) =>
      block.text.split('\n').map((text, index) => ({ text, line: block.start + index, block })),
    );
    const best =
      all[
        findBestLine(
          all.map(({ text }) => text),
          marks.sentence,
        )
      ];
    const own = all.filter(({ block }) => block === best?.block);
    const from = own[0]?.line ?? 1;
    const section = startAtSection(
      own.map(({ text }) => text),
      from,
      best?.line ?? from,
    );
    const skipped = Math.max(0, (best?.line ?? section.start) - section.start - maxLines + 3);
    return {
      lines: section.lines.slice(skipped, skipped + maxLines),
      start: section.start + skipped,
    };
  }, [source, marks]);
  return <Passage path={source.path.replace(/^vault\//, '')} lines={lines} start={start} marks={marks} />;
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
