import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { place } from '../api/place.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Spinner } from '../ui/spinner.tsx';
import { attach, draftFor, focusComposer, setText } from './composer-state.ts';

/** Puts what another app has shared into the composer, beside what is there already; it is sent when the person says so. */
export function SharePage() {
  const { composer, preferences, toasts, api } = useServices();
  const text = useText().composer;
  const navigate = useNavigate();
  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    const take = async (): Promise<void> => {
      const shared = await takeShared();
      if (shared !== null) {
        const draft = draftFor('file', null);
        const words = [composer.get().texts[draft], ...shared.words].filter((each) => each);
        setText(composer, draft, words.join('\n\n'));
        preferences.set((all) => ({ ...all, mode: 'file' }));
        if (!attach(composer, shared.files, api)) toasts.fail(text.tooLarge);
      }
      await navigate({ to: '/', replace: true });
      focusComposer();
    };
    take().catch(toasts.fail);
  }, [api, composer, navigate, preferences, text, toasts]);
  return <Spinner label={text.reading} />;
}

/** Null when nothing waits; what is taken waits no longer. */
async function takeShared(): Promise<{ words: string[]; files: File[] } | null> {
  if (!('caches' in globalThis)) return null;
  // Where the worker of the page leaves it.
  const kept = `keepsake.shared${place()}`;
  const found = await (await caches.open(kept)).match(`${place()}/share`);
  if (found === undefined) return null;
  const form = await found.formData();
  await caches.delete(kept);
  const words = ['title', 'text', 'url'].map((name) => form.get(name));
  return {
    words: words.filter((each) => typeof each === 'string'),
    files: form.getAll('files').filter((each) => each instanceof File),
  };
}
