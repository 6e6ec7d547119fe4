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
  const stem = last.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  const short = Array.from(stem).slice(0, longestStem).join('');
  return `${reserved.test(short) ? 'file-' : ''}${short || 'file'}`;
}

/** `name`, or the first of `name-2`, `name-3`, … that is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const [stem, ending] = [withoutEnding(name), endingOf(name)];
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}${ending}`;
    if (!isTaken(candidate)) return candidate;
  }
}
