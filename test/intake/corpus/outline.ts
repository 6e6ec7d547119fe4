export type Outline = {
  headings: string[];
  rows: string[];
  items: string[];
  links: string[];
  words: string[];
};

/** The properties that do not depend on line breaks, which differ on machines with other fonts. */
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
