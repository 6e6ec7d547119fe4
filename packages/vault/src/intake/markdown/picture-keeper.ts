import { imageSize } from 'image-size';
import type { DocumentImage } from '../port.ts';
import { signatureOf } from '../signatures.ts';

export type PictureKeeper = {
  images: DocumentImage[];
  /** The name of the picture's file; undefined for what is no picture, or too small to be seen. */
  keep: (bytes: Uint8Array) => string | undefined;
};

export function createPictureKeeper(stem: string): PictureKeeper {
  const images: DocumentImage[] = [];
  return {
    images,
    keep(bytes) {
      const signature = signatureOf(bytes);
      if (signature?.kind !== 'image' || isDot(bytes)) return undefined;
      const name = `${stem}-${images.length + 1}.${signature.extension}`;
      images.push({ name, bytes });
      return name;
    },
  };
}

/** Too small to be seen: what tells a sender that somebody looked. */
export function isDot(bytes: Uint8Array): boolean {
  try {
    const { width, height } = imageSize(bytes);
    return width <= 2 && height <= 2;
  } catch {
    return false; // the parser throws whatever it likes for what it does not know
  }
}
