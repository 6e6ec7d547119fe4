import { useViewer } from '../shell/use-viewer.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { PathDialog } from './path-dialog.tsx';
import type { FileAction } from './file-action.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { FileMenu } from './file-menu.tsx';
import { ForgetDialog } from './forget-dialog.tsx';

const ImportDialog = lazyComponent(
  () => import('../importing/import-dialog.tsx').then(({ ImportDialog: part }) => part),
  { isOverlay: true },
);

/** The menu or dialog of the current file action, above the page. */
export function FileActionLayer({ fileAction, onClose }: { fileAction: FileAction; onClose: () => void }) {
  const { canWrite } = useViewer();
  if (!canWrite && fileAction.kind !== 'menu') return null;
  switch (fileAction.kind) {
    case 'menu':
      return <FileMenu path={fileAction.path} at={fileAction.at} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog path={fileAction.path} onClose={onClose} />;
    case 'forget':
      return <ForgetDialog target={fileAction.target} onClose={onClose} />;
    case 'import':
      return <ImportDialog file={fileAction.file} onClose={onClose} />;
    case 'create':
    case 'rename':
    case 'move':
      return <PathDialog fileAction={fileAction} onClose={onClose} />;
  }
}
