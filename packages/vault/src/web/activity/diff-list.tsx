import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { fileUrl } from '../api/files-api.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { DiffView } from '../ui/diff-view.tsx';
import { countChangedLines, parseDiff, parseMovedFrom } from '../ui/parse-diff.ts';
import { Collapsible, collapsibleLinkClass } from '../ui/collapsible.tsx';
import { PathLabel } from '../ui/path-label.tsx';

type Diff = { path: string; diff: string };

/** How many diffs are open at first; the user opens the others with a click. */
const initiallyOpen = 4;
/** How many files are shown per step, because a change may contain thousands. */
const filesPerStep = 200;

export function DiffList({ diffs }: { diffs: readonly Diff[] }) {
  const text = useText();
  const [shownCount, setShownCount] = useState(filesPerStep);
  const left = diffs.length - shownCount;
  return (
    <>
      <ul className="flex flex-col gap-2">
        {diffs.slice(0, shownCount).map((each, index) => (
          <li key={each.path}>
            <FileDiff {...each} isOpenAtFirst={index < initiallyOpen} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button className="mt-2" onClick={() => setShownCount(shownCount + filesPerStep)}>
          {text.diff.more(Math.min(left, filesPerStep))}
        </Button>
      )}
    </>
  );
}

function FileDiff({ path, diff, isOpenAtFirst }: Diff & { isOpenAtFirst: boolean }) {
  const text = useText();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { added, removed, isAll } = useMemo(() => countChangedLines(parseDiff(diff)), [diff]);
  const from = parseMovedFrom(diff);
  const isPicture = /\.(?:png|jpe?g|gif|webp)$/i.test(path);
  return (
    <Collapsible
      isOpen={isOpen}
      onChange={setIsOpen}
      title={<PathLabel path={path} />}
      actions={
        <>
          {isAll && added + removed > 0 && (
            <span className="text-tiny tabular-nums">
              {added > 0 && <span className="text-good">+{added}</span>}
              {added > 0 && removed > 0 && ' '}
              {removed > 0 && <span className="text-danger">−{removed}</span>}
            </span>
          )}
          <Link
            to="/file/$"
            params={{ _splat: path.replace(/^vault\//, '') }}
            className={collapsibleLinkClass}
          >
            {text.answer.open}
          </Link>
        </>
      }
    >
      {from !== null && (
        <p className="px-3 py-2 text-small break-words text-soft">
          {text.changes.movedFrom(from.replace(/^vault\//, ''))}
        </p>
      )}
      {isPicture && <ImageDiff path={path} />}
      {!isPicture && (from === null || added + removed > 0 || !isAll) && <DiffView diff={diff} />}
    </Collapsible>
  );
}

/** Shows the current version of an image. If the file does not exist (still held, or deleted since), a note is shown instead. */
function ImageDiff({ path }: { path: string }) {
  const text = useText();
  const [isAvailable, setIsAvailable] = useState(true);
  const bare = path.replace(/^vault\//, '');
  if (!isAvailable) return <p className="px-3 py-2 text-small text-soft">{text.history.noDiff}</p>;
  return (
    <img
      src={fileUrl(bare)}
      alt={bare.split('/').at(-1)}
      loading="lazy"
      onError={() => setIsAvailable(false)}
      className="m-3 max-h-80 max-w-[calc(100%-1.5rem)] rounded-medium border border-line"
    />
  );
}
