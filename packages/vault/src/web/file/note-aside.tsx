import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import type { Heading } from './annotate-lines.ts';
import { LineLinks } from './line-links.tsx';

/** Screens that are wide enough for the aside. Must match `min-[86rem]` in class names. */
const wideLayoutQuery = '(min-width: 86rem)';
/** A longer outline is not useful. */
const maxOutlineHeadings = 200;

const NoteRelations = lazyComponent(() =>
  import('./note-relations.tsx').then(({ NoteRelations: part }) => part),
);

type Props = { path: string; headings: readonly Heading[]; body: string };

/** The outline of a note and its relations to other notes; on narrow screens only the notes that link to it, below the note. */
export function NoteAside({ path, headings, body }: Props) {
  const { queries } = useServices();
  const text = useText().file;
  const hasRoom = useSyncExternalStore(subscribeToWidth, () => matchMedia(wideLayoutQuery).matches);
  const { data } = useQuery(queries.files.backlinks(path));
  const notes = data?.notes ?? [];
  const top = Math.min(...headings.map(({ depth }) => depth));
  const near = headings.filter(({ depth }) => depth < top + 3);
  if (!hasRoom && notes.length === 0) return null;
  return (
    <aside
      aria-label={text.beside}
      className={`flex flex-col gap-6 text-small ${hasRoom ? 'sticky top-[calc(var(--header-height)+var(--bar-height,0px)+2rem)] max-h-[calc(100vh-18rem)] self-start overflow-y-auto' : 'mt-8 border-t border-line pt-4'}`}
    >
      {hasRoom && near.length > 1 && (
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
      {notes.length > 0 && <LineLinks title={text.mentions(notes.length)} notes={notes} />}
      {hasRoom && (
        <NoteRelations
          path={path}
          body={body}
          sources={notes.map((note) => note.path.replace(/^vault\//, ''))}
        />
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
