import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';

const linkClass = 'rounded-small hover:text-ink hover:underline';

/** Links to the folders of a path, from the vault down, and the name of the file if the header does not show it. */
export function Breadcrumbs({ path, hasName = false }: { path: string; hasName?: boolean }) {
  const { queries } = useServices();
  const { data: status } = useQuery(queries.status);
  const { shell } = useText();
  const parts = path.split('/');
  const folders = parts.slice(0, -1);
  return (
    <p className="min-h-5 break-words">
      {/* Without a text until the name of the vault is loaded. */}
      <Link to="/" aria-label={status === undefined ? shell.home : undefined} className={linkClass}>
        {status?.vault}
      </Link>
      <span aria-hidden> /</span>
      {folders.map((part, index) => (
        <span key={`${index}-${part}`}>
          {' '}
          <Link to="/file/$" params={{ _splat: folders.slice(0, index + 1).join('/') }} className={linkClass}>
            {part}
          </Link>
          <span aria-hidden> /</span>
        </span>
      ))}
      {hasName && (
        <>
          {' '}
          <span>{parts.at(-1)}</span>
        </>
      )}
    </p>
  );
}
