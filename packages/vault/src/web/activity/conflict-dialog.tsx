import type { ConflictChoice } from '../api/history-api.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';

type Props = {
  /** The message of the server, with the conflicting lines and both versions of each. */
  message: string;
  onChoose: (choice: ConflictChoice) => void;
  onClose: () => void;
};

/** Asks the user which version to keep of lines that were edited after the change. */
export function ConflictDialog({ message, onChoose, onClose }: Props) {
  const text = useText().activity.conflict;
  return (
    <Modal title={text.title} isTitleShown isOpen onClose={onClose}>
      <div className="flex flex-col gap-3 overflow-auto p-4">
        <pre className="overflow-auto text-small whitespace-pre-wrap">{message}</pre>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onChoose('keep')}>{text.keep}</Button>
          <Button onClick={() => onChoose('replace')}>{text.replace}</Button>
          <Button onClick={() => onChoose('both')}>{text.both}</Button>
        </div>
      </div>
    </Modal>
  );
}
