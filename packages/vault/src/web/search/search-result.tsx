import { Link } from '@tanstack/react-router';
import { Eraser } from 'lucide-react';
import { useFormatReplaced } from '../answers/use-format-replaced.ts';
import type { SearchResponse } from '../api/files-api.ts';
import { formatLineRange } from '../file/line-range.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import { HighlightedLine } from './highlighted-line.tsx';

type Props = {
  section: SearchResponse['sections'][number];
  words: readonly string[];
  who: string | undefined;
};

/** A passage that was found, with its lines verbatim. It links to the best line. */
export function SearchResult({ section, words, who }: Props) {
  const formatReplaced = useFormatReplaced();
  const { arrange, search } = useText();
  const { fileAction } = useServices();
  const { takesEffect } = search;
  const { when, from } = section;
  const dates = [...(when === undefined ? [] : [when]), ...(from === undefined ? [] : [takesEffect(from)])];
  const path = section.path.replace(/^vault\//, '');
  const lines = section.text
    .split('\n')
    .map((line) => /^\s*(\d+)\s*\| ?(.*)$/.exec(line) ?? [line, '', line]);
  const numbers = lines.map(([, number]) => Number(number)).filter((number) => number > 0);
  const range = { start: Math.min(...numbers), end: Math.max(...numbers) };
  return (
    <div className="relative">
      <Link
        to="/file/$"
        params={{ _splat: path }}
        hash={formatLineRange({ start: section.best, end: section.best })}
        className="block overflow-hidden rounded-medium border border-line bg-surface -outline-offset-2 hover:border-line-strong"
      >
        <span className="flex flex-wrap items-baseline gap-x-3 px-3 py-2 text-small">
          <span className="min-w-0 flex-1 basis-40">
            <PathLabel path={path} />
          </span>
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
        <span className="block border-t border-line py-2 font-mono text-small">
          {lines.map(([, number = '', line = ''], index) => (
            <span key={index} className="flex">
              <span className="w-(--gutter) shrink-0 pr-(--gutter-gap) text-right text-tiny leading-5 text-soft select-none">
                {number}
              </span>
              <span className="min-w-0 flex-1 pr-3 leading-5 break-words whitespace-pre-wrap">
                <HighlightedLine line={line} words={words} />
              </span>
            </span>
          ))}
        </span>
      </Link>
      <IconButton
        label={arrange.forget.passage}
        className="absolute right-1 bottom-1 opacity-60 hover:opacity-100 focus-visible:opacity-100"
        onClick={() => fileAction.set({ kind: 'forget', path, lines: range })}
      >
        <Eraser aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
