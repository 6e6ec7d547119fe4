import { relativePath } from './link-targets.ts';
import type { LinkTargets } from './link-targets.ts';
import { linksIn } from './markdown-links.ts';
import type { MarkdownLink } from './markdown-links.ts';

/** Files that went elsewhere. */
export type Moves = {
  /** Where each of them went. */
  to: ReadonlyMap<string, string>;
  /** What links led to before, and what they lead to now. */
  before: LinkTargets;
  after: LinkTargets;
};

/**
 * Makes the links of a note lead to where their files went; `note` is where it lay itself. A link that leads there anyway
 * stays as it is, byte for byte. Also gives the files that it refers to, as they were called before.
 */
export function rewriteLinks(
  text: string,
  note: string,
  { to, before, after }: Moves,
): { text: string; referred: string[] } {
  const referred: string[] = [];
  const from = to.get(note) ?? note;
  let result = '';
  let end = 0;
  for (const link of linksIn(text)) {
    const aim = before.find(link, note);
    const present = aim === null ? undefined : to.get(aim);
    if (aim === null || present === undefined) continue;
    referred.push(aim);
    if (after.find(link, from) === present) continue;
    result += text.slice(end, link.start) + written(link, present, from, after);
    end = link.end;
  }
  return { text: result + text.slice(end), referred };
}

/** The link as it has to be now, in the way it was written. */
function written(link: MarkdownLink, to: string, from: string, after: LinkTargets): string {
  if (link.kind === 'path') return link.write(relativePath(from, to));
  const hasEnding = /\.(?:md|markdown)$/i.test(link.target) || !/\.md$/i.test(to);
  const whole = hasEnding ? to : to.replace(/\.md$/i, '');
  const name = link.target.includes('/') ? whole : whole.slice(whole.lastIndexOf('/') + 1);
  return link.write(after.find({ kind: 'wiki', target: name }, from) === to ? name : whole);
}
