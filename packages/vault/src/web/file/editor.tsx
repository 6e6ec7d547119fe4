import { useText } from '../text/use-text.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** The editor, loaded when it is first needed. */
export const Editor = lazyComponent(
  () => import('../edit/edit-panel.tsx').then(({ EditPanel }) => EditPanel),
  {
    fallback: () => <Spinner label={useText().edit.loading} />,
  },
);

/** Loads the editor before it is opened: when the pointer or the focus comes near the button. */
export function preloadEditor(): void {
  void Editor.preload();
}
