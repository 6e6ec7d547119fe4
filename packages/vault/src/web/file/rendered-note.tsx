import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MouseEvent, RefObject } from 'react';
import { joinPath } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';
import type { Chunk } from './chunks.ts';
import { idsFor } from './heading-id.ts';
import { showLineRange } from './line-range.ts';
import type { LineRange } from './line-range.ts';
import { Markdown } from './markdown.tsx';
import { NoteAside } from './note-aside.tsx';
import { NoteChunks } from './note-chunks.tsx';
import { TagLink } from './note-links.tsx';
import { isStamp } from './note.ts';
import type { Note } from './note.ts';
import type { ParsedNote } from './parse-note.ts';
import type { Around } from './around.ts';
import { useParsedNote } from './use-parsed-note.ts';

type Props = {
  note: Note;
  path: string;
  range: LineRange | null;
  hash: string;
  onTask: Around['onTask'];
};

const outermost: readonly string[] = [];

/** A note to read. What the address names is marked, and brought into sight once. */
export function RenderedNote({ note, path, range, hash, onTask }: Props) {
  const text = useText().file;
  const article = useRef<HTMLElement>(null);
  const parsed = useParsedNote({ body: note.body, skipped: note.skipped, isPlain: false });
  const wanted = useMemo(() => chunkMeant(parsed, range, hash), [parsed, range, hash]);
  const mark = useMark(article, range, wanted === null ? null : parsed);
  const select = useSelectLines(range);
  useAnchor(article, range === null ? hash : '', parsed);
  const properties = note.properties.filter((property) => !isStamp(property));
  if (note.lines.length === 0) return <p className="text-small text-soft">{text.empty}</p>;
  return (
    <div className="min-w-0 min-[86rem]:grid min-[86rem]:grid-cols-[minmax(0,1fr)_14rem] min-[86rem]:gap-8">
      <article ref={article} className="prose" onClick={select}>
        {properties.length > 0 && <Properties properties={properties} path={path} />}
        {parsed !== null && (
          <NoteChunks
            chunks={parsed.chunks}
            path={path}
            within={outermost}
            inner={Markdown}
            onTask={onTask}
            {...(wanted !== null && { wanted })}
          />
        )}
        {mark !== null && <div aria-hidden className="marked" style={mark} />}
      </article>
      {parsed !== null && <NoteAside path={path} headings={parsed.headings} />}
    </div>
  );
}

/** The chunk that the address is about; null when there is none, or not yet. */
function chunkMeant(parsed: ParsedNote | null, range: LineRange | null, hash: string): number | null {
  if (parsed === null || hash === '') return null;
  const { chunks, isWhole } = parsed;
  const at =
    range === null ? chunkNamed(chunks, hash) : chunks.findLastIndex(({ line }) => line <= range.start);
  if (range !== null && at < 0) return 0;
  return at < 0 || (range !== null && at === chunks.length - 1 && !isWhole) ? null : at;
}

function chunkNamed(chunks: readonly Chunk[], hash: string): number {
  const ids = idsFor(hash);
  return chunks.findIndex((chunk) => chunk.ids.some((id) => ids.includes(id)));
}

function Properties({ properties, path }: { properties: Note['properties']; path: string }) {
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
              {key !== 'original' && key !== 'tags' && value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** As `a, b`, `[a, b]` or `#a #b`. */
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

/** The document that a note was made from. */
function Original({ name, path }: { name: string; path: string }) {
  const target = joinPath(path, name);
  if (target === null) return name;
  return (
    <Link to="/file/$" params={{ _splat: target }}>
      {name}
    </Link>
  );
}

/** A click on a number selects its line; with shift, everything up to it. */
export function useSelectLines(range: LineRange | null): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const number = (event.target as HTMLElement).closest<HTMLElement>('.ln')?.dataset['line'];
    if (number === undefined) return;
    event.preventDefault();
    const line = Number(number);
    const start = event.shiftKey && range !== null ? Math.min(range.start, line) : line;
    const end = event.shiftKey && range !== null ? Math.max(range.end, line) : line;
    void navigate({ to: '.', hash: showLineRange({ start, end }), replace: true });
  };
}

/** The heading, footnote or paragraph that the address names is brought into sight, once. */
function useAnchor(article: RefObject<HTMLElement | null>, hash: string, parsed: ParsedNote | null): void {
  const seen = useRef('');
  useEffect(() => {
    if (hash === '') seen.current = '';
    if (hash === '' || seen.current === hash) return;
    const places = idsFor(hash).map((id) => article.current?.querySelector(`#${CSS.escape(id)}`));
    const place = places.find((each) => each != null);
    if (place == null) return;
    seen.current = hash;
    for (
      let fold = place.closest('details');
      fold !== null;
      fold = fold.parentElement?.closest('details') ?? null
    )
      fold.open = true;
    place.scrollIntoView({ block: 'start' });
  }, [article, hash, parsed]);
}

/** Where the marked lines are: from the first of them down to the next line that is not. */
function useMark(
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
      const numbers = numbersAround(element, start, end);
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

/** The numbers of the chunks in which these lines are, and of the next one: not those of a whole long note. */
function numbersAround(article: HTMLElement, start: number, end: number): HTMLElement[] {
  const chunks = [...article.querySelectorAll<HTMLElement>(':scope > .chunk')];
  const at = (line: number): number =>
    Math.max(
      chunks.findLastIndex((chunk) => Number(chunk.dataset['from']) <= line),
      0,
    );
  const near: HTMLElement[] = chunks.length === 0 ? [article] : chunks.slice(at(start), at(end) + 2);
  return near.flatMap((each) => [...each.querySelectorAll<HTMLElement>('.ln')]);
}
