import type { Element } from '../../web/index.ts';

/** Larger images are left out, so that the page can be sent by mail. */
const maxEmbeddedBytes = 10_000_000;

type Image = { bytes: Uint8Array; mediaType: string };

/** Returns null if the file is not an image. */
export type ReadImage = (path: string) => Promise<Image | null>;

/** An `<img>` with an empty address, and the file that it shows. */
export type ShownImage = { element: Element; path: string };

/**
 * Adds the contents of images to their elements, so that the page needs no other file. An image counts each time it is
 * shown. One that does not fit becomes its description.
 */
export async function embedImages(images: readonly ShownImage[], readImage: ReadImage): Promise<void> {
  const contents = new Map<string, { src: string; bytes: number } | null>();
  let freeBytes = maxEmbeddedBytes;
  for (const { element, path } of images) {
    if (!contents.has(path)) {
      const image = await readImage(path);
      contents.set(path, image === null || image.bytes.length > freeBytes ? null : toContent(image));
    }
    const content = contents.get(path);
    if (content == null || content.bytes > freeBytes) replaceByDescription(element);
    else {
      freeBytes -= content.bytes;
      element.properties['src'] = content.src;
    }
  }
}

function toContent({ bytes, mediaType }: Image): { src: string; bytes: number } {
  return {
    src: `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`,
    bytes: bytes.length,
  };
}

function replaceByDescription(element: Element): void {
  const { alt } = element.properties;
  element.tagName = 'span';
  element.properties = {};
  element.children = [{ type: 'text', value: String(alt) }];
}
