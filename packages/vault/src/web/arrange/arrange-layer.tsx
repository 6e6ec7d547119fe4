import { ArrangeDialog } from './arrange-dialog.tsx';
import type { Arranging } from './arranging.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { FileMenu } from './file-menu.tsx';

/** What lies above the page while a file or folder is named, moved or deleted. */
export function ArrangeLayer({ arranging, onClose }: { arranging: Arranging; onClose: () => void }) {
  switch (arranging.kind) {
    case 'menu':
      return <FileMenu path={arranging.path} at={arranging.at} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog path={arranging.path} onClose={onClose} />;
    case 'create':
    case 'rename':
    case 'move':
      return <ArrangeDialog arranging={arranging} onClose={onClose} />;
  }
}
