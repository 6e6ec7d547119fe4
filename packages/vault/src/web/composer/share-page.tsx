import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { vaultPrefix } from '../api/vault-prefix.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Spinner } from '../ui/spinner.tsx';
import { addAttachments, draftKey, focusComposer, setDraftText } from './composer-state.ts';

/** Puts content that another app has shared into the composer, from which the user can send it. */
export function SharePage() {
  const { composer, preferences, toasts, api } = useServices();
  const text = useText().composer;
  const navigate = useNavigate();
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    const addShared = async (): Promise<void> => {
      const shared = await takeSharedContent();
      if (shared !== null) {
        const draft = draftKey('file', null);
        const texts = [composer.get().texts[draft], ...shared.texts].filter((each) => each);
        setDraftText(composer, draft, texts.join('\n\n'));
        preferences.set((all) => ({ ...all, mode: 'file' }));
        if (!addAttachments(composer, shared.files, api)) toasts.showError(text.tooLarge);
      }
      await navigate({ to: '/', replace: true });
      focusComposer();
    };
    addShared().catch(toasts.showError);
  }, [api, composer, navigate, preferences, text, toasts]);
  return <Spinner label={text.reading} />;
}

/** Takes the shared content out of the cache; null if there is none. */
async function takeSharedContent(): Promise<{ texts: string[]; files: File[] } | null> {
  if (!('caches' in globalThis)) return null;
  // The cache in which `share-worker.js` stores the shared content.
  const cacheName = `keepsake.shared${vaultPrefix()}`;
  const found = await (await caches.open(cacheName)).match(`${vaultPrefix()}/share`);
  if (found === undefined) return null;
  const form = await found.formData();
  await caches.delete(cacheName);
  const texts = ['title', 'text', 'url'].map((name) => form.get(name));
  return {
    texts: texts.filter((each) => typeof each === 'string'),
    files: form.getAll('files').filter((each) => each instanceof File),
  };
}
