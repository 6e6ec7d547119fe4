import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clearSentText, setDraftText } from '../composer/composer-state.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { useAsk } from './use-ask.ts';

/** Asks a follow-up question in the same thread, once the answer before it is finished. The draft is cleared once the server has accepted the question. */
export function FollowUp({ follows }: { follows: string }) {
  const { composer, queries, toasts } = useServices();
  const text = useText();
  const ask = useAsk();
  const [isSending, setIsSending] = useState(false);
  const draft = `follow:${follows}`;
  const typed = useStore(composer).texts[draft] ?? '';
  const { data: before } = useQuery(queries.answers.get(follows));
  const isReady = typed.trim() !== '' && !isSending;
  const send = async (): Promise<void> => {
    if (!isReady) return;
    setIsSending(true);
    try {
      await ask(typed.trim(), follows);
      clearSentText(composer, draft, typed);
    } catch (error) {
      toasts.showError(error);
    } finally {
      setIsSending(false);
    }
  };
  if (before?.state === 'running') return null;
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        rows={1}
        value={typed}
        onChange={(event) => setDraftText(composer, draft, event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
        aria-label={text.answer.followUp}
        placeholder={text.answer.followUp}
        className="field-sizing-content max-h-48 min-h-8 min-w-0 flex-1 resize-none rounded-medium border border-line-strong bg-surface px-3 py-1.5 text-small"
      />
      <Button type="submit" disabled={!isReady}>
        {text.composer.send.ask}
      </Button>
    </form>
  );
}
