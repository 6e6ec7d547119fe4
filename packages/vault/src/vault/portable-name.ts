import { trimEndCharacters } from './decode-text.ts';

const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])[ ]*(?:\.|$)/i;
const unportable = /[<>:"|?*]|\p{Cc}|[. ]$/u;
const maxStemCharacters = 60;

/** Whether the name is valid on every operating system a vault may be synced to. */
export function isPortable(name: string): boolean {
  return !reserved.test(name) && !unportable.test(name);
}

/**
 * The extension in lower case, `.png` for `shot.PNG`; empty if there is none, or if it is not valid on every system, as in
 * the Maildir name `1709240.M1P0.host:2,S`.
 */
export function extensionOf(name: string): string {
  const extension = /[^/\\](\.[^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return unportable.test(extension) ? '' : extension;
}

export function stripExtension(name: string): string {
  return name.slice(0, name.length - extensionOf(name).length);
}

/** Converts a file name to a stem, without folders and extension, that is valid on every system and in links. */
export function portableStem(name: string): string {
  return portableTitle(stripExtension(name));
}

/** Like `portableStem`, for a title without an extension. */
export function portableTitle(title: string): string {
  const last = title.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '');
  const stem = trimEndCharacters(plain, '-.');
  const short = Array.from(stem).slice(0, maxStemCharacters).join('');
  return `${reserved.test(short) ? 'file-' : ''}${short || 'file'}`;
}

/** Letters that Unicode does not decompose to a base letter and an accent. */
const transliterations: Readonly<Record<string, string>> = {
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
 * Converts a text to lower-case words joined by hyphens. Latin letters lose their accents, other scripts are unchanged. Empty
 * when the text has no words.
 */
export function slugify(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/\p{Script=Latin}/gu, (letter) => transliterations[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll(/\p{Variation_Selector}/gu, '');
  return (plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu) ?? []).join('-');
}

/** Returns `name`, or the first of `name-2`, `name-3`, … that is not taken. */
export function findFreeName(name: string, isTaken: (name: string) => boolean): string {
  const [stem, ending] = [stripExtension(name), extensionOf(name)];
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}${ending}`;
    if (!isTaken(candidate)) return candidate;
  }
}
