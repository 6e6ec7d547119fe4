const maxNameCharacters = 120;

/** Returns the last segment of an untrusted name, without characters that are unsafe in file names. */
export function sanitizeFileName(name: string, otherwise: string): string {
  const segment = name.split(/[/\\]/).at(-1) ?? '';
  return clean(segment) || otherwise;
}

/** Turns a title into a file name. */
export function fileNameFromTitle(title: string, extension: string): string {
  const words = clean(title.replaceAll(/[/\\]/g, '-'));
  return `${words.slice(0, maxNameCharacters - extension.length).trim() || 'message'}${extension}`;
}

/** Returns `a.pdf`, then `a-2.pdf`. Ignores case, as many file systems do. */
export function uniqueName(name: string, usedNames: Set<string>): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? [];
  let unique = name;
  for (let count = 2; usedNames.has(unique.toLowerCase()); count += 1) unique = `${stem}-${count}${ending}`;
  usedNames.add(unique.toLowerCase());
  return unique;
}

/** Removes control characters, bidirectional marks and names that Windows reserves. Keeps the extension. */
function clean(name: string): string {
  const plain = name
    .slice(0, maxNameCharacters * 3)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  if (plain.length <= maxNameCharacters) return plain;
  const [ending = ''] = /\.[^.]{1,10}$/.exec(plain) ?? [];
  return `${plain.slice(0, maxNameCharacters - ending.length).trim()}${ending}`;
}
