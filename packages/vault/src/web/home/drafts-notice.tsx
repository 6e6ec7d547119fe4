import { Link } from '@tanstack/react-router';
import { isChanged } from '../edit/drafts.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Notice } from '../ui/notice.tsx';

/** The notes with unsaved changes in this tab. The tree does not show those that were deleted or renamed elsewhere. */
export function DraftsNotice() {
  const { home } = useText();
  const drafts = useStore(useServices().drafts);
  const paths = Object.entries(drafts).flatMap(([path, draft]) => (isChanged(draft) ? [path] : []));
  if (paths.length === 0) return null;
  return (
    <Notice tone="warn" title={home.drafts(paths.length)}>
      <ul className="flex flex-wrap gap-x-4">
        {paths.map((path) => (
          <li key={path} className="min-w-0">
            <Link to="/file/$" params={{ _splat: path }} className="underline underline-offset-2">
              {path}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
