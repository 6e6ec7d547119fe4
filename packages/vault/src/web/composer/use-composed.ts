import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { draftKey, resolveMode } from './composer-state.ts';

export type Composed = ReturnType<typeof useComposed>;

/** The current mode of the composer, with its draft and attachments. */
export function useComposed() {
  const { composer, preferences } = useServices();
  const { texts, attached, item } = useStore(composer);
  const { canWrite } = useViewer();
  const chosen = resolveMode(useStore(preferences).mode, item);
  // Readers can only ask.
  const mode = canWrite ? chosen : 'ask';
  const draft = draftKey(mode, item);
  return { mode, draft, typed: texts[draft] ?? '', attached, item };
}
