import { createPictureKeeper, isDot } from '../markdown/picture-keeper.ts';
import type { DocumentImage } from '../port.ts';
import type { Part } from './email-parts.ts';

export type Pictures = {
  images: DocumentImage[];
  /** Parts that are shown in the message, and not attached to it. */
  shown: Set<Part>;
  /** The name of the picture that `cid:…` or `data:…` stands for; undefined when there is none to be kept. */
  nameOf: (source: string) => string | undefined;
};

/** Names the pictures of a message in the order in which they are asked for. */
export function createPictures(parts: readonly Part[], stem: string): Pictures {
  const { images, keep } = createPictureKeeper(stem);
  const shown = new Set<Part>();
  const names = new Map<string, string | undefined>();
  const find = (source: string): string | undefined => {
    const [, data] = /^data:image\/[\w.+-]+;base64,([^]+)$/i.exec(source) ?? [];
    if (data !== undefined) return keep(Buffer.from(data, 'base64'));
    const part = parts.find(({ contentId }) => contentId !== null && cidOf(source) === contentId);
    if (part === undefined) return undefined;
    const name = keep(part.bytes);
    // What is too small to be seen is not attached either.
    if (name !== undefined || isDot(part.bytes)) shown.add(part);
    return name;
  };
  return {
    images,
    shown,
    nameOf(source) {
      if (!names.has(source)) names.set(source, find(source));
      return names.get(source);
    },
  };
}

function cidOf(source: string): string | null {
  const [, id] = /^cid:(.+)$/i.exec(source.trim()) ?? [];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return id; // a percent sign of its own
  }
}
