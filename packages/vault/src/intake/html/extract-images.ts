import { createPictureKeeper } from '../markdown/image-collector.ts';
import type { DocumentImage } from '../document.ts';
import type { Element, Page } from './dom.ts';

type ExtractedImages = {
  nameImage: (source: string) => string | undefined;
  /** The images whose names `nameImage` has returned. */
  kept: () => DocumentImage[];
  warnings: () => string[];
};

const place = 'https://picture.invalid/';

/** Extracts the images that are embedded in a page, and drops invisible ones. */
export function extractImages(page: Page, stem: string): ExtractedImages {
  const { images, keep } = createPictureKeeper(stem);
  for (const image of Array.from(page.querySelectorAll('img'))) {
    const source = (image.getAttribute('src') ?? '').trim();
    const [, data] = /^data:image\/[\w.+-]+;base64,([^]+)$/i.exec(source) ?? [];
    const name = data === undefined ? undefined : keep(Buffer.from(data, 'base64'));
    const target = name === undefined ? lazySource(image) || source : `${place}${name}`;
    if (isInvisible(image) || target === '' || target.startsWith('data:')) image.remove();
    else image.setAttribute('src', target);
  }
  const requested = new Set<string>();
  let remote = 0;
  return {
    nameImage(source) {
      if (source.startsWith(place)) requested.add(source.slice(place.length));
      else remote += 1;
      return source.startsWith(place) ? source.slice(place.length) : undefined;
    },
    kept: () => images.filter(({ name }) => requested.has(name)),
    warnings() {
      if (remote === 0) return [];
      return [
        remote === 1
          ? 'One image on the web was not downloaded.'
          : `${remote} images on the web were not downloaded.`,
      ];
    },
  };
}

/** The real source of a lazily loaded image, whose `src` is a placeholder. */
function lazySource(image: Element): string {
  return image.getAttribute('data-src') ?? image.getAttribute('data-original') ?? '';
}

function isInvisible(image: Element): boolean {
  return ['width', 'height'].every((side) => /^[012](?:px)?$/.test(image.getAttribute(side) ?? ''));
}
