const longest = 120;

/** The last segment of a name that came from elsewhere, without what no file should be called. */
export function safeName(name: string, otherwise: string): string {
  const segment = name.split(/[/\\]/).at(-1) ?? '';
  return clean(segment) || otherwise;
}

/** The words of a title as the name of a file. */
export function nameFromTitle(title: string, extension: string): string {
  const words = clean(title.replaceAll(/[/\\]/g, '-'));
  return `${words.slice(0, longest - extension.length).trim() || 'message'}${extension}`;
}

/** `a.pdf`, then `a-2.pdf`. Upper and lower case make no difference, as on many disks. */
export function uniqueName(name: string, taken: Set<string>): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? [];
  let unique = name;
  for (let count = 2; taken.has(unique.toLowerCase()); count += 1) unique = `${stem}-${count}${ending}`;
  taken.add(unique.toLowerCase());
  return unique;
}

/** Controls, marks that turn the direction of letters, and what Windows reserves; an ending survives. */
function clean(name: string): string {
  const plain = name
    .slice(0, longest * 3)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  if (plain.length <= longest) return plain;
  const [ending = ''] = /\.[^.]{1,10}$/.exec(plain) ?? [];
  return `${plain.slice(0, longest - ending.length).trim()}${ending}`;
}
