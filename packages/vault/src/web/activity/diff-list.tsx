import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { fileUrl } from '../api/files-api.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { DiffView } from '../ui/diff-view.tsx';
import { countLines, parseDiff } from '../ui/parse-diff.ts';
import { Fold, foldLink } from '../ui/fold.tsx';
import { PathLabel } from '../ui/path-label.tsx';

type Diff = { path: string; diff: string };

/** More would be a wall of text; the others open with a click. */
const openAtFirst = 4;
/** A change may be of thousands of files. */
const atOnce = 200;

export function DiffList({ diffs }: { diffs: readonly Diff[] }) {
  const text = useText();
  const [most, setMost] = useState(atOnce);
  const left = diffs.length - most;
  return (
    <>
      <ul className="flex flex-col gap-2">
        {diffs.slice(0, most).map((each, index) => (
          <li key={each.path}>
            <OneDiff {...each} isOpenAtFirst={index < openAtFirst} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button className="mt-2" onClick={() => setMost(most + atOnce)}>
          {text.diff.more(Math.min(left, atOnce))}
        </Button>
      )}
    </>
  );
}

function OneDiff({ path, diff, isOpenAtFirst }: Diff & { isOpenAtFirst: boolean }) {
  const text = useText();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { added, removed, isAll } = useMemo(() => countLines(parseDiff(diff)), [diff]);
  const isPicture = /\.(?:png|jpe?g|gif|webp)$/i.test(path);
  return (
    <Fold
      isOpen={isOpen}
      onChange={setIsOpen}
      title={<PathLabel path={path} />}
      aside={
        <>
          {isAll && added + removed > 0 && (
            <span className="text-tiny tabular-nums">
              {added > 0 && <span className="text-good">+{added}</span>}
              {added > 0 && removed > 0 && ' '}
              {removed > 0 && <span className="text-danger">−{removed}</span>}
            </span>
          )}
          <Link to="/file/$" params={{ _splat: path.replace(/^vault\//, '') }} className={foldLink}>
            {text.answer.open}
          </Link>
        </>
      }
    >
      {isPicture ? <Picture path={path} /> : <DiffView diff={diff} />}
    </Fold>
  );
}

/** As it is now; one that is not there, because it waits or is gone again, has only its name. */
function Picture({ path }: { path: string }) {
  const text = useText();
  const [isThere, setIsThere] = useState(true);
  const bare = path.replace(/^vault\//, '');
  if (!isThere) return <p className="px-3 py-2 text-small text-soft">{text.history.noDiff}</p>;
  return (
    <img
      src={fileUrl(bare)}
      alt={bare.split('/').at(-1)}
      loading="lazy"
      onError={() => setIsThere(false)}
      className="m-3 max-h-80 max-w-[calc(100%-1.5rem)] rounded-medium border border-line"
    />
  );
}
