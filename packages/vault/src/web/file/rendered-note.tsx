import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MouseEvent, RefObject } from 'react';
import { resolvePath } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';
import type { NoteBlock } from './render-blocks.ts';
import { Badge } from '../ui/badge.tsx';
import { candidateIds } from './heading-id.ts';
import { formatLineRange } from './line-range.ts';
import type { LineRange } from './line-range.ts';
import { Markdown } from './markdown.tsx';
import { NoteAside } from './note-aside.tsx';
import { NoteBlocks } from './note-blocks.tsx';
import { TagLink } from './note-links.tsx';
import { isMaintainedField } from './note.ts';
import type { ParsedFile } from './note.ts';
import type { ParsedNote } from './parse-note.ts';
import type { NoteContext } from './note-context.ts';
import { useParsedNote } from './use-parsed-note.ts';

type Props = {
  note: ParsedFile;
  path: string;
  range: LineRange | null;
  hash: string;
  /** The line to start at, if the URL names none. */
  startLine: number | null;
  onToggleTask: NoteContext['onToggleTask'];
};

const noAncestors: readonly string[] = [];

/** A rendered note. The lines or heading that the URL names are highlighted and scrolled into view once. */
export function RenderedNote({ note, path, range, hash, startLine, onToggleTask }: Props) {
  const text = useText().file;
  const article = useRef<HTMLElement>(null);
  const parsed = useParsedNote({ body: note.body, lineOffset: note.frontmatterLines, isPlain: false });
  const firstHash = useRef(hash);
  // Until the user follows a link to another place of the note.
  const placeLine = hash === firstHash.current ? startLine : null;
  const targetIndex = useMemo(
    () => blockOfLine(parsed, placeLine) ?? targetBlock(parsed, range, hash),
    [parsed, range, hash, placeLine],
  );
  const mark = useLineHighlight(article, range, targetIndex === null ? null : parsed);
  const select = useSelectLines(range);
  useAnchor(article, range === null && placeLine === null ? hash : '', parsed);
  useStartLine(article, placeLine, parsed);
  const properties = note.properties.filter((property) => !isMaintainedField(property));
  if (note.lines.length === 0) return <p className="text-small text-soft">{text.empty}</p>;
  return (
    <div className="min-w-0 min-[86rem]:grid min-[86rem]:grid-cols-[minmax(0,1fr)_14rem] min-[86rem]:gap-8">
      <article ref={article} className="prose" onClick={select}>
        {properties.length > 0 && <Properties properties={properties} path={path} />}
        {parsed !== null && (
          <NoteBlocks
            blocks={parsed.blocks}
            path={path}
            ancestors={noAncestors}
            inner={Markdown}
            onToggleTask={onToggleTask}
            {...(targetIndex !== null && { targetIndex })}
          />
        )}
        {mark !== null && <div aria-hidden className="marked" style={mark} />}
      </article>
      {parsed !== null && <NoteAside path={path} headings={parsed.headings} body={note.body} />}
    </div>
  );
}

/** The index of the block that the URL refers to; null if there is none or it is not parsed yet. */
function targetBlock(parsed: ParsedNote | null, range: LineRange | null, hash: string): number | null {
  if (parsed === null || hash === '') return null;
  const { blocks, isComplete } = parsed;
  const at =
    range === null ? blockWithId(blocks, hash) : blocks.findLastIndex(({ line }) => line <= range.start);
  if (range !== null && at < 0) return 0;
  return at < 0 || (range !== null && at === blocks.length - 1 && !isComplete) ? null : at;
}

function blockOfLine(parsed: ParsedNote | null, line: number | null): number | null {
  if (parsed === null || line === null) return null;
  return Math.max(
    0,
    parsed.blocks.findLastIndex((block) => block.line <= line),
  );
}

function blockWithId(blocks: readonly NoteBlock[], hash: string): number {
  const ids = candidateIds(hash);
  return blocks.findIndex((block) => block.ids.some((id) => ids.includes(id)));
}

function Properties({ properties, path }: { properties: ParsedFile['properties']; path: string }) {
  const text = useText().file;
  return (
    <table aria-label={text.properties} className="mb-6">
      <tbody>
        {properties.map(({ key, value, line }) => (
          <tr key={`${line}-${key}`}>
            <th scope="row" className="!border-line !pr-6 !font-normal text-soft">
              <a className="ln" data-line={line} href={`#L${line}`} tabIndex={-1} aria-hidden="true" />
              {key}
            </th>
            <td>
              {key === 'original' && <Original name={value} path={path} />}
              {key === 'tags' && <Tags value={value} />}
              {key === 'aliases' && <Aliases value={value} />}
              {!['original', 'tags', 'aliases'].includes(key) && value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Accepts `a, b`, `[a, b]` and `#a #b`. */
function Tags({ value }: { value: string }) {
  const tags = value.split(/[\s,[\]"']+/).flatMap((tag) => tag.replace(/^#/, '') || []);
  return (
    <span className="flex flex-wrap gap-x-2">
      {tags.map((tag) => (
        <TagLink key={tag} tag={tag}>
          #{tag}
        </TagLink>
      ))}
    </span>
  );
}

/** Accepts `a` and `[a, "b c"]`. */
function Aliases({ value }: { value: string }) {
  const names = value
    .replace(/^\[(.*)\]$/s, '$1')
    .split(',')
    .map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((name) => name !== '');
  return (
    <span className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <Badge key={name}>{name}</Badge>
      ))}
    </span>
  );
}

/** Link to the document that the note was created from. */
function Original({ name, path }: { name: string; path: string }) {
  const target = resolvePath(path, name);
  if (target === null) return name;
  return (
    <Link to="/file/$" params={{ _splat: target }}>
      {name}
    </Link>
  );
}

/** A click on a line number selects the line. A click with shift extends the selection to it. */
export function useSelectLines(range: LineRange | null): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const number = (event.target as HTMLElement).closest<HTMLElement>('.ln')?.dataset['line'];
    if (number === undefined) return;
    event.preventDefault();
    const line = Number(number);
    const start = event.shiftKey && range !== null ? Math.min(range.start, line) : line;
    const end = event.shiftKey && range !== null ? Math.max(range.end, line) : line;
    void navigate({ to: '.', hash: formatLineRange({ start, end }), replace: true });
  };
}

/** Scrolls the heading, footnote or block that the URL names into view, once. */
function useAnchor(article: RefObject<HTMLElement | null>, hash: string, parsed: ParsedNote | null): void {
  const seen = useRef('');
  useEffect(() => {
    if (hash === '') seen.current = '';
    if (hash === '' || seen.current === hash) return;
    const candidates = candidateIds(hash).map((id) => article.current?.querySelector(`#${CSS.escape(id)}`));
    const target = candidates.find((each) => each != null);
    if (target == null) return;
    seen.current = hash;
    for (
      let details = target.closest('details');
      details !== null;
      details = details.parentElement?.closest('details') ?? null
    )
      details.open = true;
    target.scrollIntoView({ block: 'start' });
  }, [article, hash, parsed]);
}

/** Scrolls to the line that was in sight before, once, unless it is visible. */
function useStartLine(
  article: RefObject<HTMLElement | null>,
  line: number | null,
  parsed: ParsedNote | null,
): void {
  const isDone = useRef(false);
  useEffect(() => {
    const element = article.current;
    if (line === null || isDone.current || parsed === null || element === null) return;
    const numbers = lineNumbersNear(element, line, line);
    const target = numbers.findLast((each) => Number(each.dataset['line']) <= line);
    if (target === undefined) return;
    isDone.current = true;
    const { top, bottom } = target.getBoundingClientRect();
    if (top < 0 || bottom > window.innerHeight) target.scrollIntoView({ block: 'center' });
  }, [article, line, parsed]);
}

/** The position of the highlighted lines, from the first of them to the line after the last. */
function useLineHighlight(
  article: RefObject<HTMLElement | null>,
  range: LineRange | null,
  parsed: ParsedNote | null,
): { top: number; height: number } | null {
  const [mark, setMark] = useState<{ top: number; height: number } | null>(null);
  const seen = useRef('');
  const [start, end] = [range?.start ?? 0, range?.end ?? 0];
  useLayoutEffect(() => {
    const element = article.current;
    if (element === null || start === 0 || parsed === null) {
      setMark(null);
      seen.current = '';
      return;
    }
    const measure = (): void => {
      const numbers = lineNumbersNear(element, start, end);
      const line = (each: HTMLElement): number => Number(each.dataset['line']);
      const inside = numbers.filter((each) => line(each) >= start && line(each) <= end);
      const first = inside[0] ?? numbers.findLast((each) => line(each) <= start) ?? numbers[0];
      const last = inside.at(-1) ?? first;
      if (first === undefined || last === undefined) return setMark(null);
      const { top: origin } = element.getBoundingClientRect();
      const after = numbers[numbers.indexOf(last) + 1];
      const holder = last.closest('p, li, h1, h2, h3, h4, h5, h6, tr, pre') ?? last;
      const bottom = Math.min(
        holder.getBoundingClientRect().bottom,
        after === undefined ? Infinity : after.getBoundingClientRect().top,
      );
      const top = first.getBoundingClientRect().top - origin;
      setMark({ top, height: Math.max(bottom - origin - top, 20) });
      const key = `${start}-${end}`;
      if (seen.current !== key) {
        seen.current = key;
        first.scrollIntoView({ block: 'center' });
      }
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [article, start, end, parsed]);
  return mark;
}

/** The line numbers in the blocks of these lines and in the next block. Searching all of a long note would be slow. */
function lineNumbersNear(article: HTMLElement, start: number, end: number): HTMLElement[] {
  const blocks = [...article.querySelectorAll<HTMLElement>(':scope > .chunk')];
  const at = (line: number): number =>
    Math.max(
      blocks.findLastIndex((block) => Number(block.dataset['from']) <= line),
      0,
    );
  const near: HTMLElement[] = blocks.length === 0 ? [article] : blocks.slice(at(start), at(end) + 2);
  return near.flatMap((each) => [...each.querySelectorAll<HTMLElement>('.ln')]);
}
