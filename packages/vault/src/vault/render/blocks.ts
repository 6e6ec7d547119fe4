/**
 * Renders a fenced block whose info string names the source. `header` is a formatted path, optionally followed by a
 * note. Every line of `body` starts with a number or a space before its bar, or names an image, so no content can close
 * the fence.
 */
export function renderBlock(header: string, body: string): string {
  const fence = header.includes('`') ? '~~~' : '```';
  return body === '' ? `${fence}${header}\n${fence}` : `${fence}${header}\n${body}\n${fence}`;
}

export function joinBlocks(blocks: readonly string[]): string {
  return blocks.join('\n\n');
}
