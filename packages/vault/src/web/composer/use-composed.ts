import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { draftKey, resolveMode } from './composer-state.ts';

export type Composed = ReturnType<typeof useComposed>;

/** The current mode of the composer, with its draft and attachments. */
export function useComposed() {
  const { composer, preferences } = useServices();
  const { texts, attached, item } = useStore(composer);
  const mode = resolveMode(useStore(preferences).mode, item);
  const draft = draftKey(mode, item);
  return { mode, draft, typed: texts[draft] ?? '', attached, item };
}
