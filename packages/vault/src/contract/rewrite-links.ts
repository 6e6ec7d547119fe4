import { joinPath, lastPart, relativePath } from './link-targets.ts';
import type { LinkTargets } from './link-targets.ts';
import { linksIn } from './markdown-links.ts';
import type { MarkdownLink } from './markdown-links.ts';

/** Files that went elsewhere. */
export type Moves = {
  /** Where each of them went. */
  to: ReadonlyMap<string, string>;
  /** What links led to before, and what they lead to now; of files that stayed those that links may be taken for. */
  before: LinkTargets;
  after: LinkTargets;
};

/**
 * Makes the links of a note lead to the files that they led to, wherever those are now; `note` is where it lay itself. A link
 * that leads there anyway stays as it is, byte for byte. Also tells how many were written anew, and the files that the note
 * refers to, as they were called before.
 */
export function rewriteLinks(
  text: string,
  note: string,
  { to, before, after }: Moves,
): { text: string; rewritten: number; referred: string[] } {
  const referred: string[] = [];
  const from = to.get(note) ?? note;
  let rewritten = 0;
  let result = '';
  let end = 0;
  for (const link of linksIn(text)) {
    const aim = before.find(link, note);
    if (aim === null) continue;
    referred.push(aim);
    const present = to.get(aim) ?? aim;
    if (after.find(link, from) === present) continue;
    const isFromRoot = link.target.startsWith('/') || !isAt(aim, joinPath(note, link.target));
    result += text.slice(end, link.start) + written(link, present, { from, after, isFromRoot });
    end = link.end;
    rewritten += 1;
  }
  return { text: result + text.slice(end), rewritten, referred };
}

function isAt(file: string, path: string | null): boolean {
  return path !== null && [path, `${path}.md`].includes(file.normalize('NFC'));
}

/** What stands for something else in a wikilink. */
const notInNames = /[[\]|#^\p{Cc}]/u;

type Writing = { from: string; after: LinkTargets; isFromRoot: boolean };

/** The link as it has to be now, in the way it was written as far as it leads there so. */
function written(link: MarkdownLink, to: string, { from, after, isFromRoot }: Writing): string {
  const { kind, target, anchor } = link;
  if (kind === 'wiki' && notInNames.test(to)) return link.write(relativePath(from, to), 'path');
  const hasEnding = !/\.md$/i.test(to) || /\.(?:md|markdown)$/i.test(target);
  const short = hasEnding ? to : to.slice(0, -'.md'.length);
  const relative = (path: string): string => {
    const way = relativePath(from, path);
    return target.startsWith('./') && !way.startsWith('../') ? `./${way}` : way;
  };
  const root = target.startsWith('/') ? '/' : '';
  const ways =
    kind === 'wiki'
      ? [...(target.includes('/') ? [] : [lastPart(short)]), short, to, `/${short}`, `/${to}`]
      : [...(isFromRoot ? [`${root}${short}`, `${root}${to}`] : []), relative(short), relative(to)];
  const leads = (way: string): boolean => after.find({ kind, target: way, anchor }, from) === to;
  return link.write(ways.find(leads) ?? (kind === 'wiki' ? short : relative(to)));
}
