import { FileQuestion } from 'lucide-react';
import { useViewer } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

type Props = { path: string; onCreate: () => void; onHistory: () => void };

/** Offers to create a missing note, or to open the history of the path. */
export function MissingFile({ path, onCreate, onHistory }: Props) {
  const { canWrite } = useViewer();
  const { file: text } = useText();
  return (
    <EmptyState icon={FileQuestion} title={text.missing} hint={text.missingHint}>
      <div className="flex gap-2">
        {canWrite && /\.(?:md|markdown)$/i.test(path) && (
          <Button variant="primary" onClick={onCreate}>
            {text.create}
          </Button>
        )}
        <Button onClick={onHistory}>{text.history}</Button>
      </div>
    </EmptyState>
  );
}
