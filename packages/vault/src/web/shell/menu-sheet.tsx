import { useText } from '../text/use-text.ts';
import { Modal } from '../ui/modal.tsx';
import { Sidebar } from './sidebar.tsx';

/** The sidebar on narrow screens, as a sheet above the content. */
export function MenuSheet({ onClose }: { onClose: () => void }) {
  const { shell } = useText();
  return (
    <Modal kind="sheet" title={shell.navigation} isOpen onClose={onClose}>
      <nav aria-label={shell.navigation} className="flex min-h-0 flex-1 flex-col">
        <Sidebar />
      </nav>
    </Modal>
  );
}
