import { imageSize } from 'image-size';
import type { DocumentImage } from '../document.ts';
import { detectSignature } from '../file-signatures.ts';

export type ImageCollector = {
  images: DocumentImage[];
  /** Adds an image and returns its file name; undefined for unknown formats and tracking pixels. */
  keep: (bytes: Uint8Array) => string | undefined;
};

export function createPictureKeeper(stem: string): ImageCollector {
  const images: DocumentImage[] = [];
  return {
    images,
    keep(bytes) {
      const signature = detectSignature(bytes);
      if (signature?.kind !== 'image' || isTrackingPixel(bytes)) return undefined;
      const name = `${stem}-${images.length + 1}.${signature.extension}`;
      images.push({ name, bytes });
      return name;
    },
  };
}

/** Whether an image is too small to be seen, as tracking pixels are. */
export function isTrackingPixel(bytes: Uint8Array): boolean {
  try {
    const { width, height } = imageSize(bytes);
    return width <= 2 && height <= 2;
  } catch {
    return false; // the parser throws for unknown formats
  }
}
