const place = /^<!-- generated: (\w+)(?: (.*))? -->\n[\s\S]*?^<!-- \/generated -->$/gm;

/** What belongs in a place of a page: its kind, and what the mark says after it. */
export type Produce = (kind: string, argument: string) => Promise<string>;

/**
 * A page whose generated places, `<!-- generated: kind argument -->` to `<!-- /generated -->`, are filled anew, one after
 * the other.
 */
export async function fillPage(page: string, produce: Produce): Promise<string> {
  const places = [...page.matchAll(place)];
  const marks = page.match(/^<!-- generated: /gm) ?? [];
  if (marks.length !== places.length)
    throw new Error('a place for generated text is not closed; end it with <!-- /generated -->');
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

/** A text as a code block, in a fence that nothing in it can close. */
export function codeBlock(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/^`{3,}/gm) ?? []).map((fence) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
