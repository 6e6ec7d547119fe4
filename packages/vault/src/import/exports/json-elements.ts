const code = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  list: 0x5b,
  endOfList: 0x5d,
  object: 0x7b,
  endOfObject: 0x7d,
};
/** V8 makes no longer strings. */
const mostBytes = 500_000_000;

/** The elements of a JSON array, one after the other, so that a large file is never in memory as a whole. */
export async function* jsonElements(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown, void, undefined> {
  let [depth, isInString, isEscaped] = [0, false, false];
  let parts: Uint8Array[] = [];
  let size = 0;
  const element = (): unknown => {
    const text = Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    size = 0;
    return text === '' ? undefined : JSON.parse(text);
  };
  for await (const chunk of chunks) {
    let start = 0;
    const keep = (end: number): void => {
      if (end > start) parts.push(chunk.subarray(start, end));
      size += end - start;
      if (size > mostBytes) throw new RangeError('an element of the list is too large to be read');
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === code.backslash) isEscaped = true;
        else if (byte === code.quote) isInString = false;
      } else if (byte === code.quote) isInString = true;
      else if (byte === code.list || byte === code.object) {
        depth += 1;
        if (depth === 1) {
          if (byte !== code.list) throw new SyntaxError('it is no list');
          start = at + 1;
        }
      } else if (
        byte === code.endOfList ||
        byte === code.endOfObject ||
        (byte === code.comma && depth === 1)
      ) {
        if (byte !== code.comma) depth -= 1;
        if (depth === 0 || byte === code.comma) {
          keep(at);
          start = at + 1;
          const value = element();
          if (value !== undefined) yield value;
        }
      }
    }
    if (depth > 0) keep(chunk.length);
  }
  if (depth > 0 || isInString) throw new SyntaxError('its end is missing');
}
