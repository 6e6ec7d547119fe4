import { useText } from '../text/use-text.ts';
import { Modal } from '../ui/modal.tsx';

/** The keyboard shortcuts. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const { settings } = useText();
  return (
    <Modal title={settings.keys} isTitleShown isOpen onClose={onClose}>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-2 overflow-auto p-4 text-small">
        {settings.keyList.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-small border border-line-strong px-1.5 py-0.5 font-mono text-tiny">
                {keys}
              </kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
