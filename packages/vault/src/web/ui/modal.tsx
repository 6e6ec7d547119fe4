import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

type Props = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** A sheet is at the left edge and as tall as the page. */
  kind?: 'window' | 'sheet';
  /** Whether the title is visible; otherwise it is only for screen readers. */
  isTitleShown?: boolean;
  children: ReactNode;
};

const kinds = {
  window:
    'top-4 left-1/2 w-[min(44rem,calc(100vw-1rem))] -translate-x-1/2 rounded-large border max-h-[calc(100dvh-2rem)] wide:top-[10vh] wide:max-h-[80vh]',
  sheet: 'inset-y-0 left-0 w-[min(20rem,85vw)] border-r',
};

/** A dialog that traps the focus while it is open, and returns it when it closes. */
export function Modal({ title, isOpen, onClose, kind = 'window', isTitleShown = false, children }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Dialog.Popup
          className={`fixed z-50 flex flex-col overflow-hidden border-line bg-raised text-ink shadow-raised outline-none ${kinds[kind]}`}
        >
          <Dialog.Title className={isTitleShown ? 'px-4 pt-4 font-medium' : 'sr-only'}>{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
