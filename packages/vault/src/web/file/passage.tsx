import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { MouseEvent } from 'react';
import { HighlightedLine } from '../search/highlighted-line.tsx';
import { formatLineRange } from './line-range.ts';
import { Markdown } from './markdown.tsx';
import { markPassage } from './mark-passage.ts';
import type { PassageMarks } from './mark-passage.ts';
import { NoteBlocks } from './note-blocks.tsx';
import { prepareFragment } from './passage-fragment.ts';
import { useParsedNote } from './use-parsed-note.ts';

type Props = {
  /** The file of the lines, without `vault/`. */
  path: string;
  /** Untrusted. */
  lines: readonly string[];
  /** The line number of the first one. */
  start: number;
  marks: PassageMarks;
};

const noAncestors: readonly string[] = [];

/** Lines of a note, rendered as the note is read. A click opens the note at that line; numbers are shown on hover. */
export function Passage({ path, lines, start, marks }: Props) {
  const { properties, body, lineOffset } = useMemo(() => prepareFragment(lines, start), [lines, start]);
  const parsed = useParsedNote({ body, lineOffset, isPlain: false, isPassage: true });
  const blocks = useMemo(() => (parsed === null ? [] : markPassage(parsed.blocks, marks)), [parsed, marks]);
  const open = useOpenLine(path, start);
  return (
    <div className="prose passage cursor-pointer py-2 text-small" onClick={open}>
      {properties.length > 0 && (
        <p className="font-mono text-tiny whitespace-pre-wrap text-soft">
          <HighlightedLine line={properties.join('\n')} words={marks.words} />
        </p>
      )}
      <NoteBlocks blocks={blocks} path={path} ancestors={noAncestors} inner={Markdown} />
    </div>
  );
}

/** Opens the line at the click, unless the click is on a link or ends a selection of text. */
function useOpenLine(path: string, start: number): (event: MouseEvent<HTMLElement>) => void {
  const navigate = useNavigate();
  return (event) => {
    const target = event.target as HTMLElement;
    const isControl = target.closest('a:not(.ln), button, input, summary') !== null;
    if (isControl || event.defaultPrevented || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    const numbers = [...event.currentTarget.querySelectorAll<HTMLElement>('.ln')];
    const { top } = target.getBoundingClientRect();
    const before = numbers.findLast(
      (each) => each.getBoundingClientRect().top <= Math.max(event.clientY, top),
    );
    const line = Number(before?.dataset['line'] ?? start);
    void navigate({
      to: '/file/$',
      params: { _splat: path },
      hash: formatLineRange({ start: line, end: line }),
    });
  };
}
