import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../text/use-text.ts';
import { DiffView } from '../ui/diff-view.tsx';
import { Fold, foldLink } from '../ui/fold.tsx';
import { PathLabel } from '../ui/path-label.tsx';

type Diff = { path: string; diff: string };

/** More would be a wall of text; the others open with a click. */
const openAtFirst = 4;

export function DiffList({ diffs }: { diffs: readonly Diff[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {diffs.map((each, index) => (
        <li key={each.path}>
          <OneDiff {...each} isOpenAtFirst={index < openAtFirst} />
        </li>
      ))}
    </ul>
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
