export type Outline = {
  headings: string[];
  rows: string[];
  items: string[];
  links: string[];
  words: string[];
};

/** What is the same however the lines of a PDF happen to break on a machine with other fonts. */
export function outlineOf(markdown: string): Outline {
  const lines = markdown.split('\n');
  const plain = markdown
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/\\\n|[#|`]|---/g, ' ')
    .replaceAll(/[*<>[\]!\\]/g, '');
  return {
    headings: lines.filter((line) => line.startsWith('#')),
    rows: lines.filter((line) => line.startsWith('|')),
    items: lines.filter((line) => /^\s*(?:-|\d+\.) /.test(line)),
    links: [...markdown.matchAll(/\]\(([^)]*)\)|<([^>]+@[^>]+)>/g)].map(
      ([, target, address]) => target ?? address ?? '',
    ),
    words: plain.split(/\s+/).filter((word) => word !== ''),
  };
}
