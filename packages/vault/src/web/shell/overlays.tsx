import { ConflictDialog } from '../activity/update-actions.tsx';
import { useStore } from '../live/store.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { useServices } from './services.ts';

const Palette = lazyComponent(() => import('../palette/palette.tsx').then(({ Palette: part }) => part), {
  isOverlay: true,
});
const KeySheet = lazyComponent(() => import('./key-sheet.tsx').then(({ KeySheet: part }) => part), {
  isOverlay: true,
});

const FileActionLayer = lazyComponent(
  () => import('../file-actions/file-action-layer.tsx').then(({ FileActionLayer: part }) => part),
  { isOverlay: true },
);

/** The dialogs that any page can open. */
export function Overlays() {
  const { isPaletteOpen, isKeySheetOpen, fileAction, pendingUndoConflict } = useServices();
  const isPaletteShown = useStore(isPaletteOpen);
  const areKeysShown = useStore(isKeySheetOpen);
  const openAction = useStore(fileAction);
  const conflict = useStore(pendingUndoConflict);
  return (
    <>
      {openAction !== null && (
        <FileActionLayer fileAction={openAction} onClose={() => fileAction.set(null)} />
      )}
      {conflict !== null && (
        <ConflictDialog
          action="undo"
          files={conflict.files}
          onChoose={(choice) => {
            pendingUndoConflict.set(null);
            conflict.choose(choice);
          }}
          onClose={() => pendingUndoConflict.set(null)}
        />
      )}
      {areKeysShown && <KeySheet onClose={() => isKeySheetOpen.set(false)} />}
      {isPaletteShown && <Palette onClose={() => isPaletteOpen.set(false)} />}
    </>
  );
}
