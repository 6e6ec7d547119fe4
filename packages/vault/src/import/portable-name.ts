import { isPortable } from '../vault/index.ts';

const longest = 200;

/** A name as near to this one as works on every system. */
export function portableName(name: string): string {
  const composed = name.normalize('NFC');
  if (isPortable(composed) && !composed.includes('\\') && Buffer.byteLength(composed) <= longest)
    return composed;
  const [, stem = '', ending = ''] = /^(.*?)(\.[^. ]{1,16})?$/su.exec(composed) ?? [];
  const plain = replaced(stem);
  const room = longest - Buffer.byteLength(ending);
  const short = `${trimmed(cut(plain, room)) || 'file'}${trimmed(replaced(ending))}`;
  return isPortable(short) ? short : `file-${short}`;
}

/** What is at the end just goes: `What?` is `What`. */
function replaced(text: string): string {
  return text.replace(/(?:[<>:"|?*\\/]|\p{Cc})+$/u, '').replaceAll(/[<>:"|?*\\/]|\p{Cc}/gu, '-');
}

function trimmed(text: string): string {
  return text.replace(/[. ]+$/u, '');
}

/** At most so many bytes, whole characters. */
function cut(text: string, bytes: number): string {
  let size = 0;
  let end = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
