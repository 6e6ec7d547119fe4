import { draftKey, focusComposer, moveToNote, setDraftText } from '../composer/composer-state.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

const answerPrefix = draftKey('answer', '');

/** Answers that were begun to questions that are no longer open, for example because another program answered them. */
export function UnsentAnswers({ open }: { open: readonly string[] }) {
  const { composer, preferences, toasts } = useServices();
  const text = useText().inbox;
  const { texts } = useStore(composer);
  const unsent = Object.entries(texts).flatMap(([draft, words]) => {
    const item = draft.startsWith(answerPrefix) ? draft.slice(answerPrefix.length) : null;
    return item === null || open.includes(item) ? [] : [{ draft, item, words }];
  });
  const use = (draft: string): void => {
    moveToNote(composer, draft);
    preferences.set((all) => ({ ...all, mode: 'file' }));
    focusComposer();
  };
  const discard = (draft: string, words: string): void => {
    setDraftText(composer, draft, '');
    toasts.show(text.discarded, () => setDraftText(composer, draft, words));
  };
  return unsent.map(({ draft, item, words }) => (
    <Notice
      key={draft}
      tone="warn"
      title={text.unsent(item)}
      actions={
        <>
          <Button onClick={() => use(draft)}>{text.useAsNote}</Button>
          <Button variant="ghost" onClick={() => discard(draft, words)}>
            {text.discard}
          </Button>
        </>
      }
    >
      <p className="whitespace-pre-wrap">{words}</p>
    </Notice>
  ));
}
