import { FileQuestion } from 'lucide-react';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

type Props = { path: string; onCreate: () => void; onHistory: () => void };

/** A note can be created in its place; what was there before is in its history. */
export function MissingFile({ path, onCreate, onHistory }: Props) {
  const { file: text } = useText();
  return (
    <EmptyState sign={FileQuestion} title={text.missing} hint={text.missingHint}>
      <div className="flex gap-2">
        {/\.(?:md|markdown)$/i.test(path) && (
          <Button look="primary" onClick={onCreate}>
            {text.create}
          </Button>
        )}
        <Button onClick={onHistory}>{text.history}</Button>
      </div>
    </EmptyState>
  );
}
