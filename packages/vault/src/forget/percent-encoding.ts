/** One character in UTF-8, percent-encoded as in the destination of a link. */
const encodedCharacter =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}/gi;

/** The text with its percent-encoded characters decoded; the same text if it has none. */
export function decodePercent(text: string): string {
  return text.includes('%') ? text.replaceAll(encodedCharacter, decodeCharacter) : text;
}

/** For each position of the decoded text, and for its end, the position in the original. */
export function originsOfDecoded(text: string): number[] {
  const origins: number[] = [];
  let from = 0;
  for (const { index, 0: encoded } of text.matchAll(encodedCharacter)) {
    for (; from < index; from += 1) origins.push(from);
    const decoded = decodeCharacter(encoded);
    const step = decoded === encoded ? 1 : 0;
    for (let unit = 0; unit < decoded.length; unit += 1) origins.push(index + step * unit);
    from = index + encoded.length;
  }
  for (; from <= text.length; from += 1) origins.push(from);
  return origins;
}

/** Bytes that are not valid in UTF-8 stay encoded. */
function decodeCharacter(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
