import { createPictureKeeper } from '../markdown/picture-keeper.ts';
import type { DocumentImage } from '../port.ts';
import type { Element, Page } from './dom.ts';

type LiftedPictures = {
  nameImage: (source: string) => string | undefined;
  /** Those that were asked for. */
  kept: () => DocumentImage[];
  warnings: () => string[];
};

const place = 'https://picture.invalid/';

/** Takes the pictures that are written into a page out of it, and drops those that nobody sees. */
export function liftPictures(page: Page, stem: string): LiftedPictures {
  const { images, keep } = createPictureKeeper(stem);
  for (const image of Array.from(page.querySelectorAll('img'))) {
    const source = (image.getAttribute('src') ?? '').trim();
    const [, data] = /^data:image\/[\w.+-]+;base64,([^]+)$/i.exec(source) ?? [];
    const name = data === undefined ? undefined : keep(Buffer.from(data, 'base64'));
    const target = name === undefined ? lateSource(image) || source : `${place}${name}`;
    if (isHidden(image) || target === '' || target.startsWith('data:')) image.remove();
    else image.setAttribute('src', target);
  }
  const asked = new Set<string>();
  let remote = 0;
  return {
    nameImage(source) {
      if (source.startsWith(place)) asked.add(source.slice(place.length));
      else remote += 1;
      return source.startsWith(place) ? source.slice(place.length) : undefined;
    },
    kept: () => images.filter(({ name }) => asked.has(name)),
    warnings() {
      if (remote === 0) return [];
      return [
        remote === 1
          ? 'One picture lies on the web; it was not fetched.'
          : `${remote} pictures lie on the web; they were not fetched.`,
      ];
    },
  };
}

/** Pages that load pictures late have a dot in their place. */
function lateSource(image: Element): string {
  return image.getAttribute('data-src') ?? image.getAttribute('data-original') ?? '';
}

function isHidden(image: Element): boolean {
  return ['width', 'height'].every((side) => /^[012](?:px)?$/.test(image.getAttribute(side) ?? ''));
}
