import { imageSize } from 'image-size';
import { formatPath } from './path.ts';
import type { VaultPath } from './path.ts';

type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp';
export type ImageHeader = { format: ImageFormat; width: number; height: number };

/** Enough to find the dimensions after the metadata that cameras add. */
export const maxImageHeaderBytes = 512 * 1024;

/** The formats a model can read, by their first bytes. Other files are never passed to the parser. */
const signatures: readonly [ImageFormat, RegExp][] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
];

/** Reads format and dimensions from the first bytes of a file, regardless of its name; null if it is not such an image. */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  const start = bytes.toString('latin1', 0, 16);
  const format = signatures.find(([, signature]) => signature.test(start))?.[0];
  if (format === undefined) return null;
  try {
    const { width, height } = imageSize(bytes);
    return { format, width, height };
  } catch {
    return null; // The parser throws various errors for damaged or truncated images.
  }
}

/** The line that represents an image in text. */
export function formatImageLine(path: VaultPath, { format, width, height }: ImageHeader): string {
  return `[image ${formatPath(path)} · ${format} · ${width}×${height}]`;
}

export const notAnImageMessage = 'its name says image, but its content is not a PNG, JPEG, GIF or WebP image';

const modelImageEdgePx = 1568;
const pixelsPerToken = 750;

/** Estimates the tokens of an image: it is scaled to fit a square and counted by area. */
export function estimateImageTokens({ width, height }: { width: number; height: number }): number {
  const scale = Math.min(1, modelImageEdgePx / Math.max(width, height, 1));
  return Math.ceil((width * scale * height * scale) / pixelsPerToken);
}
