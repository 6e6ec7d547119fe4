import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { draftFor, modeFor } from './composer-state.ts';

export type Composed = ReturnType<typeof useComposed>;

/** What the composer is used for now, and what is typed and attached for that. */
export function useComposed() {
  const { composer, preferences } = useServices();
  const { texts, attached, item } = useStore(composer);
  const mode = modeFor(useStore(preferences).mode, item);
  const draft = draftFor(mode, item);
  return { mode, draft, typed: texts[draft] ?? '', attached, item };
}
