import { imageSize } from 'image-size';

type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp';
export type ImageHeader = { format: ImageFormat; width: number; height: number };

/** Enough to find the size behind the metadata that cameras put in front of it. */
export const imageHeaderBytes = 512 * 1024;

const formats: Record<string, ImageFormat> = { png: 'png', jpg: 'jpeg', gif: 'gif', webp: 'webp' };

/** Format and size from the first bytes of a file, whatever its name says; null when it is no such image. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  try {
    const { type, width, height } = imageSize(bytes);
    const format = formats[type ?? ''];
    return format === undefined ? null : { format, width, height };
  } catch (error) {
    // The parser throws for anything it cannot read: TypeError for unknown or damaged, RangeError for cut off.
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

const longestEdge = 1568;
const pixelsPerToken = 750;

/** What an image costs a model, roughly: it is scaled to fit a square, then paid by area. */
export function imageTokens({ width, height }: { width: number; height: number }): number {
  const scale = Math.min(1, longestEdge / Math.max(width, height, 1));
  return Math.ceil((width * scale * height * scale) / pixelsPerToken);
}
