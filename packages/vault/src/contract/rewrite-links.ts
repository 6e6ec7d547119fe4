import { resolvePath, lastSegment, relativePath } from './link-resolver.ts';
import type { LinkResolver } from './link-resolver.ts';
import { parseLinks } from './markdown-links.ts';
import type { MarkdownLink } from './markdown-links.ts';

/** A set of moved files. */
export type Moves = {
  /** The new path of each moved file. */
  destinations: ReadonlyMap<string, string>;
  /** Resolvers for the paths before and after the moves. They include unmoved files that share a name with a moved one. */
  before: LinkResolver;
  after: LinkResolver;
};

/**
 * Updates the links of a note so that they refer to the same files after the moves; `note` is its path before them. A link that
 * still resolves stays unchanged, byte for byte. Also returns the number of rewritten links and the previous paths of the files
 * that the note refers to.
 */
export function rewriteLinks(
  text: string,
  note: string,
  { destinations, before, after }: Moves,
): { text: string; rewritten: number; references: string[] } {
  const references: string[] = [];
  const from = destinations.get(note) ?? note;
  let rewritten = 0;
  let result = '';
  let end = 0;
  for (const link of parseLinks(text)) {
    const target = before.resolve(link, note);
    if (target === null) continue;
    references.push(target);
    const newTarget = destinations.get(target) ?? target;
    if (after.resolve(link, from) === newTarget) continue;
    const isFromRoot = link.target.startsWith('/') || !isFileAt(target, resolvePath(note, link.target));
    result += text.slice(end, link.start) + formatLink(link, newTarget, { from, after, isFromRoot });
    end = link.end;
    rewritten += 1;
  }
  return { text: result + text.slice(end), rewritten, references };
}

function isFileAt(file: string, path: string | null): boolean {
  return path !== null && [path, `${path}.md`].includes(file.normalize('NFC'));
}

/** Characters with a special meaning in a wikilink. */
const invalidInWikilink = /[[\]|#^\p{Cc}]/u;

type Writing = { from: string; after: LinkResolver; isFromRoot: boolean };

/** Formats the link for its new target, in its original style if that resolves. */
function formatLink(link: MarkdownLink, to: string, { from, after, isFromRoot }: Writing): string {
  const { kind, target, anchor } = link;
  if (kind === 'wiki' && invalidInWikilink.test(to)) return link.format(relativePath(from, to), 'path');
  const hasEnding = !/\.md$/i.test(to) || /\.(?:md|markdown)$/i.test(target);
  const short = hasEnding ? to : to.slice(0, -'.md'.length);
  const relative = (path: string): string => {
    const way = relativePath(from, path);
    return target.startsWith('./') && !way.startsWith('../') ? `./${way}` : way;
  };
  const root = target.startsWith('/') ? '/' : '';
  const candidates =
    kind === 'wiki'
      ? [...(target.includes('/') ? [] : [lastSegment(short)]), short, to, `/${short}`, `/${to}`]
      : [...(isFromRoot ? [`${root}${short}`, `${root}${to}`] : []), relative(short), relative(to)];
  const resolvesHere = (way: string): boolean => after.resolve({ kind, target: way, anchor }, from) === to;
  return link.format(candidates.find(resolvesHere) ?? (kind === 'wiki' ? short : relative(to)));
}
