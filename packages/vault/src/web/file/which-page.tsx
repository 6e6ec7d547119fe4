import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { hasAnchor } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { parseNoteFile } from './note.ts';
import { resolveWikilink } from './resolve-link.ts';

/** With more candidates, their headings are not read. Backlinks have the same limit. */
const maxCandidates = 50;

/** Resolves an ambiguous wikilink: opens the only note that has the heading, otherwise lets the user choose. */
export function WhichPage() {
  const { queries } = useServices();
  const text = useText();
  const { link, from } = useSearch({ from: '/which' });
  const { data: tree, error } = useQuery(queries.files.tree);
  const target = tree === undefined ? null : resolveWikilink(link, from, tree);
  const [name = '', ...rest] = link.split('#');
  const hash = rest.join('#');
  const paths = target?.kind === 'several' ? target.paths : [];
  const isRead = hash !== '' && paths.length <= maxCandidates;
  const files = useQueries({
    queries: paths.map((path) => ({
      ...queries.files.get(path),
      enabled: isRead,
      refetchInterval: false as const,
    })),
  });
  if (error !== null) return <ErrorNotice error={error} />;
  if (target === null || (isRead && files.some(({ isPending }) => isPending)))
    return <Spinner label={text.tree.loading} />;
  if (target.kind === 'file')
    return <Navigate to="/file/$" params={{ _splat: target.path }} hash={target.hash} replace />;
  if (target.kind !== 'several') return <Navigate to="/file/$" params={{ _splat: from }} replace />;
  const withHeading = paths.filter((_, index) =>
    hasAnchor(parseNoteFile(files[index]?.data?.text ?? '').body, hash),
  );
  const [only, ...others] = isRead ? withHeading : [];
  if (only !== undefined && others.length === 0)
    return <Navigate to="/file/$" params={{ _splat: only }} hash={hash} replace />;
  const example = `[[${(paths[0] ?? '').replace(/\.md$/i, '')}${hash === '' ? '' : `#${hash}`}]]`;
  return (
    <Page title={text.which.title(name.trim())} about={text.which.from(from)}>
      <p>{text.which.explain(example)}</p>
      <ul aria-label={text.which.list} className="flex flex-col gap-2">
        {paths.map((path) => (
          <li key={path}>
            <Link
              to="/file/$"
              params={{ _splat: path }}
              hash={hash}
              className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-medium border border-line bg-surface px-3 py-2 hover:border-line-strong"
            >
              <span className="min-w-0 font-medium break-words">{path}</span>
              {isRead && !withHeading.includes(path) && (
                <span className="text-small text-soft">{text.file.noSection(hash)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
