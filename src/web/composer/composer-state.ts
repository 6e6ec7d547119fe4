import { createStore } from '../live/store.ts';
import type { Store } from '../live/store.ts';

type Attached = { id: string; name: string; file: File; preview: string | null };
export type Composer = {
  text: string;
  attached: readonly Attached[];
  /** The inbox item that is answered. */
  item: string | null;
  /** The update that was sent last and is still looked at. */
  following: string | null;
};

export function createComposer(): Store<Composer> {
  return createStore<Composer>({ text: '', attached: [], item: null, following: null });
}

export const composerId = 'composer-text';

/** After the views have settled, as when a dialog that had the focus is closing. */
export function focusComposer(): void {
  setTimeout(() => document.querySelector<HTMLElement>(`#${composerId}`)?.focus(), 30);
}

const largestTogether = 25_000_000;
const taken = /\.(?:md|markdown|txt|text|png|jpe?g|gif|webp)$/i;

/** Takes what can be filed, and names what cannot. */
export function attach(
  composer: Store<Composer>,
  files: Iterable<File>,
): { refused: string[]; isTooLarge: boolean } {
  const all = [...files];
  const good = all.filter(
    ({ name, type }) => taken.test(name) || /^image\/(?:png|jpeg|gif|webp)$/.test(type),
  );
  const present = composer.get().attached;
  const size = [...present, ...good.map((file) => ({ file }))].reduce((sum, { file }) => sum + file.size, 0);
  const isTooLarge = size > largestTogether;
  if (!isTooLarge)
    composer.set((state) => ({ ...state, attached: [...state.attached, ...good.map(attached)] }));
  return { refused: all.filter((file) => !good.includes(file)).map(({ name }) => name), isTooLarge };
}

export function detach(composer: Store<Composer>, id: string): void {
  for (const each of composer.get().attached)
    if (each.id === id && each.preview !== null) URL.revokeObjectURL(each.preview);
  composer.set((state) => ({ ...state, attached: state.attached.filter((each) => each.id !== id) }));
}

function attached(file: File): Attached {
  const isImage = file.type.startsWith('image/');
  return {
    id: crypto.randomUUID(),
    name: file.name === '' ? 'pasted' : file.name,
    file,
    preview: isImage ? URL.createObjectURL(file) : null,
  };
}
