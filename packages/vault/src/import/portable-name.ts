import { isPortable } from '../vault/index.ts';

const maxNameBytes = 200;

/** Returns the closest name that works on every system. */
export function toPortableName(name: string): string {
  const composed = name.normalize('NFC');
  if (isPortable(composed) && !composed.includes('\\') && Buffer.byteLength(composed) <= maxNameBytes)
    return composed;
  const [, stem = '', ending = ''] = /^(.*?)(\.[^. ]{1,16})?$/su.exec(composed) ?? [];
  const plain = replaceReserved(stem);
  const room = maxNameBytes - Buffer.byteLength(ending);
  const short = `${trimTrailing(truncateBytes(plain, room)) || 'file'}${trimTrailing(replaceReserved(ending))}`;
  return isPortable(short) ? short : `file-${short}`;
}

/** Reserved characters at the end are removed: `What?` becomes `What`. */
function replaceReserved(text: string): string {
  return text.replace(/(?:[<>:"|?*\\/]|\p{Cc})+$/u, '').replaceAll(/[<>:"|?*\\/]|\p{Cc}/gu, '-');
}

function trimTrailing(text: string): string {
  return text.replace(/[. ]+$/u, '');
}

/** Truncates to a number of bytes without splitting a character. */
function truncateBytes(text: string, bytes: number): string {
  let size = 0;
  let end = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
