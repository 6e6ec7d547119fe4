import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import type { Heading } from './annotate-lines.ts';

/** Screens that are wide enough for the aside. Must match `min-[86rem]` in class names. */
const wideLayoutQuery = '(min-width: 86rem)';
/** A longer outline is not useful. */
const maxOutlineHeadings = 200;

/** The outline of a note and the notes that link to it. Shown only on wide screens. */
export function NoteAside({ path, headings }: { path: string; headings: readonly Heading[] }) {
  const { queries } = useServices();
  const text = useText().file;
  const hasRoom = useSyncExternalStore(subscribeToWidth, () => matchMedia(wideLayoutQuery).matches);
  const { data } = useQuery({ ...queries.files.backlinks(path), enabled: hasRoom });
  const notes = data?.notes ?? [];
  const top = Math.min(...headings.map(({ depth }) => depth));
  const near = headings.filter(({ depth }) => depth < top + 3);
  if (!hasRoom || (near.length < 2 && notes.length === 0)) return null;
  return (
    <aside
      aria-label={text.beside}
      className="sticky top-[calc(var(--header-height)+var(--bar-height,0px)+2rem)] flex max-h-[calc(100vh-18rem)] flex-col gap-6 self-start overflow-y-auto text-small"
    >
      {near.length > 1 && (
        <nav aria-label={text.outline}>
          <h2 className="mb-1 text-tiny font-semibold text-soft">{text.outline}</h2>
          <ul>
            {near.slice(0, maxOutlineHeadings).map(({ id, depth, text: words }) => (
              <li key={id} className={depth === top ? '' : depth === top + 1 ? 'pl-3' : 'pl-6'}>
                <Link to="." hash={id.replace(/^heading-/, '')} className={entry}>
                  {words}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {notes.length > 0 && (
        <nav aria-label={text.mentions(notes.length)}>
          <h2 className="mb-1 text-tiny font-semibold text-soft">{text.mentions(notes.length)}</h2>
          <ul>
            {notes.map(({ path: from, line, text: words }) => (
              <li key={from}>
                <Link
                  to="/file/$"
                  params={{ _splat: from.replace(/^vault\//, '') }}
                  hash={`L${line}`}
                  title={words}
                  className={entry}
                >
                  {from.replace(/^vault\//, '')}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </aside>
  );
}

const entry = 'block rounded-small py-0.5 break-words text-soft hover:text-ink hover:underline';

function subscribeToWidth(call: () => void): () => void {
  const query = matchMedia(wideLayoutQuery);
  query.addEventListener('change', call);
  return () => query.removeEventListener('change', call);
}
