import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Tags } from 'lucide-react';
import { useState } from 'react';
import { useServices } from '../shell/services.ts';
import { useDayText } from '../text/day-text.ts';
import { useFormat } from '../text/format.ts';
import { useVaultTime } from '../text/use-vault-time.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { PathLabel } from '../ui/path-label.tsx';

/** All tags with their number of notes, or the notes of one tag. */
export function TagsPage() {
  const { queries } = useServices();
  const text = useDayText().tags;
  const { tag } = useSearch({ from: '/tags' });
  const { data, error } = useQuery(queries.notes.tags(tag));
  const [filter, setFilter] = useState('');
  const shown = data?.tags.filter((each) => each.tag.toLowerCase().includes(filter.toLowerCase())) ?? [];
  return (
    <Page
      title={tag === undefined ? text.title : `#${tag}`}
      eyebrow={
        tag === undefined ? undefined : (
          <Link to="/tags" className="hover:underline">
            {text.all}
          </Link>
        )
      }
      about={data === undefined ? '' : tag === undefined ? undefined : text.count(data.found)}
    >
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && tag === undefined && data.tags.length === 0 && (
        <EmptyState icon={Tags} title={text.empty} hint={text.emptyHint} />
      )}
      {tag !== undefined && data !== undefined && (
        <ul className="divide-y divide-line border-y border-line">
          {data.notes.map((note) => (
            <li key={note.path}>
              <NoteRow path={note.path} updated={note.updated} />
            </li>
          ))}
        </ul>
      )}
      {tag !== undefined && data !== undefined && data.found > data.notes.length && (
        <p className="text-small text-soft">{text.more(data.notes.length, data.found)}</p>
      )}
      {data !== undefined && data.tags.length > 12 && (
        <input
          type="search"
          value={filter}
          aria-label={text.filter}
          placeholder={text.filter}
          onChange={(event) => setFilter(event.target.value)}
          className="h-9 max-w-80 rounded-medium border border-line bg-surface px-2.5 text-small"
        />
      )}
      {data !== undefined && data.tags.length > 0 && <TagList tags={shown} active={tag} />}
      {data !== undefined && data.tags.length > 0 && shown.length === 0 && (
        <p className="text-small text-soft">{text.none}</p>
      )}
    </Page>
  );
}

type TagListProps = { tags: readonly { tag: string; notes: number }[]; active?: string | undefined };

export function TagList({ tags, active }: TagListProps) {
  const text = useDayText().tags;
  const format = useFormat();
  return (
    <ul className="flex flex-wrap gap-2">
      {tags.map(({ tag, notes }) => (
        <li key={tag} className="min-w-0">
          <Link
            to="/tags"
            search={{ tag }}
            aria-label={`#${tag}, ${text.count(notes)}`}
            aria-current={tag === active ? 'page' : undefined}
            className={`inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border px-2.5 text-small hover:border-line-strong ${tag === active ? 'border-accent bg-accent-soft text-accent' : 'border-line bg-surface'}`}
          >
            <span className="min-w-0 truncate">#{tag}</span>
            <span className="text-tiny text-soft tabular-nums">{format.number(notes)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function NoteRow({ path, updated }: { path: string; updated: string }) {
  const format = useFormat();
  const at = useVaultTime()(updated);
  return (
    <Link
      to="/file/$"
      params={{ _splat: path.replace(/^vault\//, '') }}
      className="flex min-w-0 items-baseline justify-between gap-3 py-2 text-small hover:underline"
    >
      <PathLabel path={path} />
      {at !== null && <span className="shrink-0 text-tiny text-soft">{format.ago(at)}</span>}
    </Link>
  );
}
