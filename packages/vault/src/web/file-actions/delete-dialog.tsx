import { useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import type { TreeNode } from '../tree/build-tree.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Modal } from '../ui/modal.tsx';
import { baseName } from './file-action.ts';
import { useFileActions } from './use-file-actions.ts';

/** Asks for confirmation and says how many files are deleted. */
export function DeleteDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const { data: tree } = useQuery(useServices().queries.files.tree);
  const { arrange: text, edit } = useText();
  const { remove } = useFileActions(onClose);
  const node = tree?.byPath.get(path);
  return (
    <Modal title={text.titles.delete(baseName(path))} isTitleShown isOpen onClose={onClose}>
      <div className="flex flex-col gap-3 p-4">
        <p className="text-small text-soft">
          {node?.isFolder === true && `${text.deletes(countFiles(node))} `}
          {text.canBeUndone}
        </p>
        {remove.error !== null && <ErrorNotice error={remove.error} />}
        <div className="flex flex-wrap gap-2">
          <Button variant="danger" disabled={remove.isPending} onClick={() => remove.mutate(path)}>
            {text.buttons.delete}
          </Button>
          <Button onClick={onClose}>{edit.cancel}</Button>
        </div>
      </div>
    </Modal>
  );
}

function countFiles({ isFolder, children }: TreeNode): number {
  return isFolder ? children.reduce((sum, child) => sum + countFiles(child), 0) : 1;
}
