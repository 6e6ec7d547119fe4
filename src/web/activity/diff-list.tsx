import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { DiffView } from '../ui/diff-view.tsx';
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
  return (
    <Fold
      isOpen={isOpen}
      onChange={setIsOpen}
      title={<PathLabel path={path} />}
      aside={
        <Link to="/file/$" params={{ _splat: path.replace(/^vault\//, '') }} className={foldLink}>
          {text.answer.open}
        </Link>
      }
    >
      <DiffView diff={diff} />
    </Fold>
  );
}
