import { useEffect, useState } from 'react';
import type { Around } from './around.ts';

type Props = { isDone: boolean; line: number | undefined; label: string; onTask: Around['onTask'] };

/** The box of a task. It changes at once, and back when that was not to be. */
export function TaskBox({ isDone, line, label, onTask }: Props) {
  const [isChecked, setIsChecked] = useState(isDone);
  useEffect(() => setIsChecked(isDone), [isDone]);
  if (onTask === undefined || line === undefined)
    return <input type="checkbox" checked={isDone} disabled readOnly aria-label={label} />;
  return (
    <input
      type="checkbox"
      checked={isChecked}
      aria-label={label}
      onChange={({ target: { checked } }) => {
        setIsChecked(checked);
        onTask(line, checked).catch(() => setIsChecked(!checked));
      }}
    />
  );
}
