import { createPictureKeeper, isTrackingPixel } from '../markdown/image-collector.ts';
import type { DocumentImage } from '../document.ts';
import type { Part } from './email-parts.ts';

export type InlineImages = {
  images: DocumentImage[];
  /** Parts that are shown inline, and so are not attachments. */
  shown: Set<Part>;
  /** The file name of the image behind a `cid:…` or `data:…` URL; undefined when the image is missing or not kept. */
  nameOf: (source: string) => string | undefined;
};

/** Names the images of a message in the order in which they are requested. */
export function createPictures(parts: readonly Part[], stem: string): InlineImages {
  const { images, keep } = createPictureKeeper(stem);
  const shown = new Set<Part>();
  const names = new Map<string, string | undefined>();
  const find = (source: string): string | undefined => {
    const [, data] = /^data:image\/[\w.+-]+;base64,([^]+)$/i.exec(source) ?? [];
    if (data !== undefined) return keep(Buffer.from(data, 'base64'));
    const part = parts.find(({ contentId }) => contentId !== null && contentIdOf(source) === contentId);
    if (part === undefined) return undefined;
    const name = keep(part.bytes);
    // A tracking pixel is not an attachment either.
    if (name !== undefined || isTrackingPixel(part.bytes)) shown.add(part);
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

function contentIdOf(source: string): string | null {
  const [, id] = /^cid:(.+)$/i.exec(source.trim()) ?? [];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return id; // a percent sign that escapes nothing
  }
}
