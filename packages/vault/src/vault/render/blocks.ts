/**
 * A fenced block whose info string names the source. `header` is a shown path, maybe with a note behind it.
 * Every line of `body` starts with a number or a space before its bar, or names an image, so no content can close the fence.
 */
export function block(header: string, body: string): string {
  const fence = header.includes('`') ? '~~~' : '```';
  return body === '' ? `${fence}${header}\n${fence}` : `${fence}${header}\n${body}\n${fence}`;
}

export function joinBlocks(blocks: readonly string[]): string {
  return blocks.join('\n\n');
}
