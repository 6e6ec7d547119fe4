import { withoutEnd } from './text.ts';

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const unportable = /[<>:"|?*]|\p{Cc}|[. ]$/u;
const longestStem = 60;

/** Whether a file or folder may have this name on every system a vault may be synced to. */
export function isPortable(name: string): boolean {
  return !reserved.test(name) && !unportable.test(name);
}

/** `.png` of `shot.PNG`; empty without one. */
export function endingOf(name: string): string {
  return /[^/\\](\.[^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function withoutEnding(name: string): string {
  return name.slice(0, name.length - endingOf(name).length);
}

/** A file's name without folders and ending, in letters that work on every system and in links. */
export function portableStem(name: string): string {
  return portableTitle(withoutEnding(name));
}

/** The same for what has no ending. */
export function portableTitle(title: string): string {
  const last = title.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '');
  const stem = withoutEnd(plain, '-.');
  const short = Array.from(stem).slice(0, longestStem).join('');
  return `${reserved.test(short) ? 'file-' : ''}${short || 'file'}`;
}

/** Letters that are more than another one with an accent. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * The words of a text in small letters, with hyphens between; Latin ones without accents, those of other scripts as they
 * are. Empty when there are none.
 */
export function slugOf(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/\p{Script=Latin}/gu, (letter) => spelledOut[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll(/\p{Variation_Selector}/gu, '');
  return (plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu) ?? []).join('-');
}

/** `name`, or the first of `name-2`, `name-3`, … that is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const [stem, ending] = [withoutEnding(name), endingOf(name)];
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}${ending}`;
    if (!isTaken(candidate)) return candidate;
  }
}
