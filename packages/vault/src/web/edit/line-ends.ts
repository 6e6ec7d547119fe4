/** How the text of a file is shown in an editor whose lines end with `\n`, and how it is stored. */
type LineEnds = { shown: string; store: (edited: string) => string };

/** New lines get the line ends of the file, if all its lines end in the same way. Mixed line ends are kept as they are. */
export function convertLineEnds(text: string): LineEnds {
  const isWindows = text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);
  if (!isWindows) return { shown: text, store: (edited) => edited };
  return {
    shown: text.replaceAll('\r\n', '\n'),
    store: (edited) => edited.replaceAll(/\r?\n/g, '\r\n'),
  };
}
