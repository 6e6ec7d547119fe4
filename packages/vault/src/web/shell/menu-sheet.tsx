import type { MouseEvent } from 'react';
import { useText } from '../text/use-text.ts';
import { Modal } from '../ui/modal.tsx';
import { Sidebar } from './sidebar.tsx';

/** The sidebar on narrow screens, as a sheet above the content. */
export function MenuSheet({ onClose }: { onClose: () => void }) {
  const { shell } = useText();
  // Also for the page that is open already, which changes no path.
  const close = ({ target }: MouseEvent): void => {
    if ((target as Element).closest('a, [role="treeitem"]:not([aria-expanded])') !== null) onClose();
  };
  return (
    <Modal kind="sheet" title={shell.navigation} isOpen onClose={onClose}>
      <nav aria-label={shell.navigation} onClick={close} className="flex min-h-0 flex-1 flex-col">
        <Sidebar />
      </nav>
    </Modal>
  );
}
