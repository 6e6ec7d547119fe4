import type { NoteHtml } from './note-html.ts';

/** Larger files are left out, so that the page can be sent by mail. */
const maxEmbeddedBytes = 10_000_000;

type Image = { bytes: Uint8Array; mediaType: string };

/**
 * Replaces the addresses of images in a rendered note by their contents, so that it is one file. Images that do not fit are
 * replaced by their description, and links to other files by their text. `readImage` returns null for what is no image.
 */
export async function embedFiles(
  { html, files }: NoteHtml,
  readImage: (path: string) => Promise<Image | null>,
): Promise<string> {
  const contents = new Map<string, string>();
  let free = maxEmbeddedBytes;
  for (const [key, path] of files) {
    const image = await readImage(path);
    if (image === null || image.bytes.length > free) continue;
    free -= image.bytes.length;
    contents.set(key, `data:${image.mediaType};base64,${Buffer.from(image.bytes).toString('base64')}`);
  }
  // The keys are unpredictable, so nothing that the note contains is taken for an address.
  return html
    .replaceAll(/<a href="f\/[0-9a-f]{32}" download>([^<]*)<\/a>/g, '$1')
    .replaceAll(
      /<img src="f\/([0-9a-f]{32})"( alt="([^"]*)"[^>]*)>/g,
      (_, key: string, rest: string, alt: string) => {
        const content = contents.get(key);
        return content === undefined ? `<span>${alt}</span>` : `<img src="${content}"${rest}>`;
      },
    );
}
