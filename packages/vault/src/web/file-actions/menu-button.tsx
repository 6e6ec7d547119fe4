import { Ellipsis } from 'lucide-react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';

/** Opens the menu of a file or folder. */
export function FileMenuButton({ path }: { path: string }) {
  const { fileAction } = useServices();
  const text = useText().arrange;
  return (
    <IconButton
      label={text.more}
      aria-haspopup="menu"
      onClick={(event) => {
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        fileAction.set({ kind: 'menu', path, at: { x: left, y: bottom } });
      }}
    >
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
}
