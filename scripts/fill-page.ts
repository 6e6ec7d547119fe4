const place = /^<!-- generated: (\w+)(?: (.*))? -->\n[\s\S]*?^<!-- \/generated -->$/gm;

/** Generates the text for a marker with this kind and argument. */
export type Produce = (kind: string, argument: string) => Promise<string>;

/**
 * Regenerates the parts of a page between `<!-- generated: kind argument -->` and `<!-- /generated -->`, one after the other.
 */
export async function fillPage(page: string, produce: Produce): Promise<string> {
  const places = [...page.matchAll(place)];
  const marks = page.match(/^<!-- generated: /gm) ?? [];
  if (marks.length !== places.length)
    throw new Error('a generated part is not closed; end it with <!-- /generated -->');
  let filled = '';
  let at = 0;
  for (const { 0: whole, 1: kind = '', 2: argument = '', index } of places) {
    const mark = whole.slice(0, whole.indexOf('\n'));
    const content = await produce(kind, argument);
    filled += `${page.slice(at, index)}${mark}\n\n${content}\n\n<!-- /generated -->`;
    at = index + whole.length;
  }
  return filled + page.slice(at);
}

/** Formats a text as a code block, with a fence that the text does not contain. */
export function codeBlock(language: string, text: string): string {
  const maxTicks = Math.max(2, ...(text.match(/^`{3,}/gm) ?? []).map((fence) => fence.length));
  const fence = '`'.repeat(maxTicks + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
