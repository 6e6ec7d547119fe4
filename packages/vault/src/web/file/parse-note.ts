import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import type { PluggableList } from 'unified';
import { annotateLines } from './annotate-lines.ts';
import type { Heading } from './annotate-lines.ts';
import { callouts } from './callouts.ts';
import { chunksOf } from './chunks.ts';
import type { Chunk } from './chunks.ts';
import type { Element, Root } from './hast.ts';
import { hideComments } from './hide-comments.ts';
import { plainTags, showRaw } from './show-raw.ts';

export type NoteText = {
  /** Untrusted. */
  body: string;
  /** Lines before the first one of this text. */
  skipped: number;
  /** Without numbers of lines. */
  isPlain: boolean;
  /** The words that a text has not: above its footnotes, and on callouts without a title. */
  words: { footnotes: string; callouts: Readonly<Record<string, string>> };
};

/** `isWhole` is false while more of it is to come. */
export type ParsedNote = { chunks: Chunk[]; headings: Heading[]; isWhole: boolean };

/** What only some texts need, and is loaded for them. */
export type ParserParts = { math: PluggableList; tags: PluggableList };
type PartName = keyof ParserParts;

const noParts: ParserParts = { math: [], tags: [] };

export function partsNeeded(body: string): PartName[] {
  const needed: PartName[] = [];
  if (body.includes('$')) needed.push('math');
  if (/<\/?[a-z]/i.test(body)) needed.push('tags');
  return needed;
}

export async function loadParts(names: readonly PartName[]): Promise<ParserParts> {
  const [math, tags] = await Promise.all([
    names.includes('math') ? import('./math-syntax.ts').then(({ mathSyntax }) => [mathSyntax]) : [],
    names.includes('tags') ? import('rehype-raw').then(({ default: rehypeRaw }) => [rehypeRaw]) : [],
  ]);
  return { math, tags };
}

/** Ids are told apart from those of the page by us. */
const schema = {
  ...defaultSchema,
  clobberPrefix: '',
  tagNames: [...plainTags, 'input', 'section'],
  attributes: {
    ...defaultSchema.attributes,
    code: [['className', /^language-./, 'math-inline', 'math-display']],
  },
};

/** What a text becomes: sanitised, with the numbers of its lines, in chunks that can be shown one by one. */
export function parseNote({ body, skipped, isPlain, words }: NoteText, parts = noParts): ParsedNote {
  const text = hideComments(body);
  const headings: Heading[] = [];
  const plugins: PluggableList = [
    remarkParse,
    remarkGfm,
    ...parts.math,
    [remarkRehype, { allowDangerousHtml: true, footnoteLabel: words.footnotes }],
    showRaw,
    ...parts.tags,
    [rehypeSanitize, schema],
    () => ownIds,
    callouts(words.callouts),
    annotateLines({ skipped, isPlain, lines: text.split('\n'), onHeading: (each) => headings.push(each) }),
  ];
  const processor = unified().use(plugins);
  const tree = processor.runSync(processor.parse(text)) as unknown as Root;
  return { chunks: chunksOf(tree, skipped), headings, isWhole: true };
}

/** No id of a note is one of the page: those of footnotes have this in front already. */
function ownIds(node: Root | Element): void {
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    const { id } = child.properties;
    if (typeof id === 'string' && !id.startsWith('user-content-'))
      child.properties['id'] = `user-content-${id}`;
    ownIds(child);
  }
}
