import { imageSize } from 'image-size';
import { showPath } from './path.ts';
import type { VaultPath } from './path.ts';

type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp';
export type ImageHeader = { format: ImageFormat; width: number; height: number };

/** Enough to find the size behind the metadata that cameras put in front of it. */
export const imageHeaderBytes = 512 * 1024;

/** The formats a model can see, by their first bytes. Nothing else is handed to the parser. */
const signatures: readonly [ImageFormat, RegExp][] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
];

/** Format and size from the first bytes of a file, whatever its name says; null when it is no such image. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  const start = bytes.toString('latin1', 0, 16);
  const format = signatures.find(([, signature]) => signature.test(start))?.[0];
  if (format === undefined) return null;
  try {
    const { width, height } = imageSize(bytes);
    return { format, width, height };
  } catch {
    return null; // the parser throws whatever it likes for an image that is damaged or cut off
  }
}

/** The line that stands for an image wherever there is only text. */
export function imageLine(path: VaultPath, { format, width, height }: ImageHeader): string {
  return `[image ${showPath(path)} · ${format} · ${width}×${height}]`;
}

/** Why a file with the name of an image is refused. */
export const notAnImage = 'its name says image, but its content is not a PNG, JPEG, GIF or WebP image';

const longestEdge = 1568;
const pixelsPerToken = 750;

/** What an image costs a model, roughly: it is scaled to fit a square, then paid by area. */
export function imageTokens({ width, height }: { width: number; height: number }): number {
  const scale = Math.min(1, longestEdge / Math.max(width, height, 1));
  return Math.ceil((width * scale * height * scale) / pixelsPerToken);
}
