import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { SearchResponse } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { formatDegraded, formatStages } from '../palette/format-stages.ts';
import { countNotes } from './count-notes.ts';
import { queryTerms } from './highlighted-line.tsx';
import { SearchResult } from './search-result.tsx';
import { SearchFilters } from './search-filters.tsx';
import { toScopes } from './search-params.ts';
import type { SearchParams } from './search-params.ts';

/** How many results are shown per step. The server returns at most the best fifty. */
const pageSize = 10;
const maxResults = 50;
/** How long to wait after the last key press before searching, in milliseconds. */
const searchDebounceMs = 250;

/** The search page. Query and filters are stored in the URL. */
export function SearchPage() {
  const text = useText();
  const params = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const change = (next: Partial<SearchParams>): void =>
    void navigate({ to: '/search', search: { ...params, ...next }, replace: true });
  return (
    <Page title={text.search.title}>
      <div className="flex flex-col gap-3">
        <QueryBox words={params.q} onChange={(q) => change({ q })} />
        <SearchFilters params={params} onChange={change} />
      </div>
      {params.q.trim() === '' ? (
        <p className="text-small text-soft">{text.search.hint}</p>
      ) : (
        // The key resets the number of shown results for each search.
        <Results key={JSON.stringify(params)} params={params} onChange={change} />
      )}
    </Page>
  );
}

function QueryBox({ words, onChange }: { words: string; onChange: (words: string) => void }) {
  const { search } = useText();
  const [typed, setTyped] = useState(words);
  useEffect(() => setTyped(words), [words]);
  useEffect(() => {
    if (typed === words) return;
    const timer = setTimeout(() => onChange(typed), searchDebounceMs);
    return () => clearTimeout(timer);
  });
  return (
    <input
      type="search"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      aria-label={search.label}
      placeholder={search.label}
      className="h-10 w-full rounded-medium border border-line-strong bg-surface px-3 text-base"
    />
  );
}

function Results({
  params,
  onChange,
}: {
  params: SearchParams;
  onChange: (next: Partial<SearchParams>) => void;
}) {
  const { api, queries } = useServices();
  const { search: text, palette, changes } = useText();
  const [limit, setLimit] = useState(pageSize);
  const { data: status } = useQuery(queries.status);
  const { data: authors } = useQuery(queries.history.authors);
  const { changelog = 'changelog.md', tasks = 'tasks.md' } = status?.layout ?? {};
  const scopes = toScopes(params, { changelog, tasks });
  const { q, from, to, who, deep = false } = params;
  // The index does not contain authors, so the results are filtered here.
  const requested = who === undefined ? limit : maxResults;
  const {
    data: found,
    error,
    isFetching,
  } = useQuery({
    queryKey: ['search', 'page', q, scopes, from ?? null, to ?? null, deep, requested],
    queryFn: ({ signal }) =>
      api.files.search(
        {
          queries: [q],
          mode: deep ? 'deep' : 'fast',
          limit: requested,
          ...(scopes.length > 0 && { scopes }),
          ...(from !== undefined && { dateFrom: from }),
          ...(to !== undefined && { dateTo: to }),
        },
        signal,
      ),
    placeholderData: (before) => before,
    staleTime: 5_000,
  });
  const words = queryTerms(q);
  const authorOf = (path: string) => authors?.get(path.replace(/^vault\//, ''));
  const sections = (found?.sections ?? []).filter(({ path }) => who === undefined || authorOf(path) === who);
  const shown = sections.slice(0, limit);
  const counts = found === undefined ? { shown: 0, all: 0 } : countNotes(found, shown);
  const all = who === undefined ? counts.all : new Set(sections.map(({ path }) => path)).size;
  const next = who === undefined ? (found?.nextLimit ?? null) : null;
  const hasMore = sections.length > shown.length || next !== null;
  return (
    <>
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 text-small text-soft">
        <SegmentedControl
          label={text.mode}
          value={deep ? 'deep' : 'fast'}
          onChange={(mode) => onChange({ deep: mode === 'deep' ? true : undefined })}
          options={[
            { value: 'fast', label: text.fast },
            { value: 'deep', label: text.deep },
          ]}
        />
        {isFetching ? (
          <Spinner label={palette.searching} />
        ) : (
          found !== undefined && <ResultStatus found={found} shown={counts.shown} all={all} isDeep={deep} />
        )}
      </div>
      {error !== null && <ErrorNotice error={error} />}
      {found !== undefined && shown.length === 0 && !isFetching && (
        <p className="text-small">{palette.none}</p>
      )}
      {found?.unmetFilters.map((filter) => (
        <p key={filter} className="text-small text-soft">
          {text.unmetFilter(filter)}
        </p>
      ))}
      {found?.fits === false && shown.length > 0 && <p className="text-small">{text.nothingFits}</p>}
      <ol className="flex flex-col gap-2">
        {shown.map((section) => {
          const author = authorOf(section.path);
          return (
            <li key={`${section.path}:${section.lines.start}`}>
              <SearchResult section={section} words={words} who={author && changes.who[author]} />
            </li>
          );
        })}
      </ol>
      {hasMore && (
        <Button className="self-start" onClick={() => setLimit(next ?? limit + pageSize)}>
          {text.more}
        </Button>
      )}
      {all > counts.shown && !hasMore && <p className="text-small text-soft">{text.best(counts.shown)}</p>}
    </>
  );
}

type StatusProps = {
  found: SearchResponse;
  shown: number;
  all: number;
  isDeep: boolean;
};

/** How many of the notes are shown, and how they were found. */
function ResultStatus({ found, shown, all, isDeep }: StatusProps) {
  const { palette } = useText();
  return (
    <>
      <span role="status">{palette.results(shown, all)}</span>
      <span>{formatStages(found, palette)}</span>
      {found.pending > 0 && <span className="text-warn">{palette.pending(found.pending)}</span>}
      {isDeep &&
        formatDegraded(found, palette).map((reason) => (
          <span key={reason} className="text-warn">
            {reason}
          </span>
        ))}
    </>
  );
}
