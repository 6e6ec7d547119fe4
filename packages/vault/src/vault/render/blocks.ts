import { splitDocument } from './parse-blocks.ts';

/**
 * Renders a fenced block whose info string names the source. `header` is a formatted path, optionally followed by a
 * note. Every line of `body` starts with a number or a space before its bar, or names an image, so no content can close
 * the fence.
 */
export function renderBlock(header: string, body: string): string {
  const fence = header.includes('`') ? '~~~' : '```';
  return body === '' ? `${fence}${header}\n${fence}` : `${fence}${header}\n${body}\n${fence}`;
}

/** Adds the number of each block to its header: `[2] vault/x.md`. */
export function numberBlocks(document: string, numbers: readonly number[]): string {
  let count = 0;
  return splitDocument(document)
    .map((part) => {
      if (typeof part === 'string') return part;
      const { fence, header, lines } = part;
      count += 1;
      return [`${fence}[${numbers[count - 1] ?? count}] ${header}`, ...lines, fence].join('\n');
    })
    .join('\n');
}

export function joinBlocks(blocks: readonly string[]): string {
  return blocks.join('\n\n');
}
