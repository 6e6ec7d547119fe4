import { useEffect, useState } from 'react';
import type { NoteContext } from './note-context.ts';

type Props = {
  isDone: boolean;
  line: number | undefined;
  label: string;
  onToggleTask: NoteContext['onToggleTask'];
};

/** The checkbox of a task. It changes immediately, and reverts if saving fails. */
export function TaskCheckbox({ isDone, line, label, onToggleTask }: Props) {
  const [isChecked, setIsChecked] = useState(isDone);
  useEffect(() => setIsChecked(isDone), [isDone]);
  if (onToggleTask === undefined || line === undefined)
    return <input type="checkbox" checked={isDone} disabled readOnly aria-label={label} />;
  return (
    <input
      type="checkbox"
      checked={isChecked}
      aria-label={label}
      onChange={({ target: { checked } }) => {
        setIsChecked(checked);
        onToggleTask(line, checked).catch(() => setIsChecked(!checked));
      }}
    />
  );
}
