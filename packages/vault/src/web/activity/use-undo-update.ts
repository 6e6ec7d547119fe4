import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';

/** Undoes an update by the given request and says so, even after the calling component has unmounted. */
export function useUndoUpdate(): (request: () => Promise<unknown>) => Promise<void> {
  const { client, toasts } = useServices();
  const { undone } = useText().activity;
  return async (request) => {
    try {
      await request();
      toasts.show(undone);
      await client.invalidateQueries();
    } catch (error) {
      toasts.showError(error);
    }
  };
}
