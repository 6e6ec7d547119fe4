import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MouseEvent } from 'react';
import { joinPath } from '../../contract/index.ts';
import { useText } from '../text/use-text.ts';
import { headingId } from './heading-id.ts';
import { showLineRange } from './line-range.ts';
import type { LineRange } from './line-range.ts';
import { Markdown } from './markdown.tsx';
import type { Note } from './note.ts';

type Props = { note: Note; path: string; range: LineRange | null; hash: string };

/** A note to read. The lines of the address are marked, and brought into sight once. */
export function RenderedNote({ note, path, range, hash }: Props) {
  const text = useText().file;
  const article = useRef<HTMLElement>(null);
  const mark = useMark(article, range, note);
  const select = useSelectLines(range);
  useHeading(article, range === null ? hash : '', note);
  if (note.lines.length === 0) return <p className="text-small text-soft">{text.empty}</p>;
  return (
    <article ref={article} className="prose" onClick={select}>
      {note.properties.length > 0 && <Properties note={note} path={path} />}
      <Markdown body={note.body} path={path} skipped={note.skipped} />
      {mark !== null && <div aria-hidden className="marked" style={mark} />}
    </article>
  );
}

function Properties({ note, path }: { note: Note; path: string }) {
  const text = useText().file;
  return (
    <table aria-label={text.properties} className="mb-6">
      <tbody>
        {note.properties.map(({ key, value, line }) => (
          <tr key={`${line}-${key}`}>
            <th scope="row" className="!border-line !pr-6 !font-normal text-soft">
              <a className="ln" data-line={line} href={`#L${line}`} tabIndex={-1} aria-hidden="true" />
              {key}
            </th>
            <td>{key === 'original' ? <Original name={value} path={path} /> : value}</td>
          </tr>
        ))}
      </tbody>
    </table>
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

/** The heading that the address names is brought into sight, once. */
function useHeading(article: React.RefObject<HTMLElement | null>, hash: string, note: Note): void {
  const seen = useRef('');
  useEffect(() => {
    const heading = hash === '' ? null : article.current?.querySelector(`#${CSS.escape(headingId(hash))}`);
    if (heading != null && seen.current !== hash) heading.scrollIntoView({ block: 'start' });
    if (heading != null || hash === '') seen.current = hash;
  }, [article, hash, note]);
}

/** Where the marked lines are: from the first of them down to the next line that is not. */
function useMark(
  article: React.RefObject<HTMLElement | null>,
  range: LineRange | null,
  note: Note,
): { top: number; height: number } | null {
  const [mark, setMark] = useState<{ top: number; height: number } | null>(null);
  const seen = useRef('');
  const [start, end] = [range?.start ?? 0, range?.end ?? 0];
  useLayoutEffect(() => {
    const element = article.current;
    if (element === null || start === 0) {
      setMark(null);
      seen.current = '';
      return;
    }
    const measure = (): void => {
      const numbers = [...element.querySelectorAll<HTMLElement>('.ln')];
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
  }, [article, start, end, note]);
  return mark;
}
