const byteCodes = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  list: 0x5b,
  endOfList: 0x5d,
  object: 0x7b,
  endOfObject: 0x7d,
};
/** Close to the maximum string length of V8. */
const maxElementBytes = 500_000_000;

/**
 * Yields the elements of a JSON array one at a time, so that a large file is never entirely in memory. An object counts as
 * an array with one element.
 */
export async function* streamJsonArray(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown, void, undefined> {
  let [depth, isInString, isEscaped] = [0, false, false];
  let isObject = false;
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
      if (size > maxElementBytes) throw new RangeError('an element of the array is too large');
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === byteCodes.backslash) isEscaped = true;
        else if (byte === byteCodes.quote) isInString = false;
      } else if (byte === byteCodes.quote) isInString = true;
      else if (byte === byteCodes.list || byte === byteCodes.object) {
        depth += 1;
        if (depth === 1) {
          isObject = byte === byteCodes.object;
          start = isObject ? at : at + 1;
        }
      } else if (
        byte === byteCodes.endOfList ||
        byte === byteCodes.endOfObject ||
        (byte === byteCodes.comma && depth === 1 && !isObject)
      ) {
        if (byte !== byteCodes.comma) depth -= 1;
        if (depth === 0 || byte === byteCodes.comma) {
          keep(isObject ? at + 1 : at);
          start = at + 1;
          const value = element();
          if (value !== undefined) yield value;
        }
      }
    }
    if (depth > 0) keep(chunk.length);
  }
  if (depth > 0 || isInString) throw new SyntaxError('unexpected end of file');
}
