import { isChanged } from '../edit/drafts.ts';
import type { Services } from './services.ts';

/** Whether closing the tab would lose words: unsaved notes, a note or question that was not sent, or attached files. */
export function hasUnsavedWords({ drafts, composer }: Pick<Services, 'drafts' | 'composer'>): boolean {
  const { texts, attached } = composer.get();
  return (
    attached.length > 0 ||
    [texts['file'], texts['ask']].some((text = '') => text.trim() !== '') ||
    Object.values(drafts.get()).some(isChanged)
  );
}

/** Whether a reload would interrupt the user, who could go on typing at another place or into nothing. */
export function isWriting(services: Pick<Services, 'drafts' | 'composer'>): boolean {
  const focused = document.activeElement;
  // The editor is in a shadow root.
  const isField = focused?.matches('input, textarea, select') === true || focused?.shadowRoot != null;
  return isField || hasUnsavedWords(services);
}
