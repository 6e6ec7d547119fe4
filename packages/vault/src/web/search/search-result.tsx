import { Link } from '@tanstack/react-router';
import { Eraser } from 'lucide-react';
import { useMemo } from 'react';
import { useFormatReplaced } from '../answers/use-format-replaced.ts';
import type { SearchResponse } from '../api/files-api.ts';
import { ExtractedLabel } from '../file/extracted-label.tsx';
import { formatLineRange } from '../file/line-range.ts';
import { startAtSection } from '../file/passage-fragment.ts';
import { Passage } from '../file/passage.tsx';
import { useServices } from '../shell/services.ts';
import { OwnerOnly } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { PathLabel } from '../ui/path-label.tsx';

type Props = {
  section: SearchResponse['sections'][number];
  words: readonly string[];
  who: string | undefined;
};

/** A passage that was found, as it is read, from the heading of its best line on. It links to that line. */
export function SearchResult({ section, words, who }: Props) {
  const formatReplaced = useFormatReplaced();
  const { arrange, search } = useText();
  const { fileAction } = useServices();
  const { takesEffect } = search;
  const { when, from } = section;
  const dates = [...(when === undefined ? [] : [when]), ...(from === undefined ? [] : [takesEffect(from)])];
  const path = section.path.replace(/^vault\//, '');
  const passage = useMemo(() => {
    const all = section.text.split('\n').map((line) => /^\s*\d+\s*\| ?(.*)$/.exec(line)?.[1] ?? line);
    return startAtSection(all, section.lines.start, section.best);
  }, [section]);
  const marks = useMemo(() => ({ words, sentence: words, line: section.best }), [words, section.best]);
  return (
    <div className="relative overflow-hidden rounded-medium border border-line bg-surface hover:border-line-strong">
      <Link
        to="/file/$"
        params={{ _splat: path }}
        hash={formatLineRange({ start: section.best, end: section.best })}
        className="block border-b border-line -outline-offset-2 hover:bg-hover"
      >
        <span className="flex flex-wrap items-baseline gap-x-3 px-3 py-2 text-small">
          <span className="min-w-0 flex-1 basis-40">
            <PathLabel path={path} />
          </span>
          <ExtractedLabel extracted={section.extracted} />
          {dates.length > 0 && <span className="text-tiny text-soft">{dates.join(', ')}</span>}
          {who !== undefined && <span className="text-tiny text-soft">{who}</span>}
        </span>
        {section.replaced?.map((entry) => (
          <span
            key={entry.lines.start}
            className="block bg-warn-soft px-3 py-1 text-tiny break-words text-warn"
          >
            {formatReplaced(entry)}
          </span>
        ))}
      </Link>
      <Passage path={path} lines={passage.lines} start={passage.start} marks={marks} />
      {section.extracted === undefined && (
        <OwnerOnly>
          <IconButton
            label={arrange.forget.passage}
            className="absolute right-1 bottom-1 opacity-60 hover:opacity-100 focus-visible:opacity-100"
            onClick={() =>
              fileAction.set({ kind: 'forget', target: { kind: 'path', path, lines: section.lines } })
            }
          >
            <Eraser aria-hidden className="size-4" />
          </IconButton>
        </OwnerOnly>
      )}
    </div>
  );
}
