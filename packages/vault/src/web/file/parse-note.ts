import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import type { PluggableList } from 'unified';
import { rehypeLineNumbers } from './annotate-lines.ts';
import type { Heading } from './annotate-lines.ts';
import { rehypeCallouts } from './callouts.ts';
import { splitIntoBlocks } from './render-blocks.ts';
import type { NoteBlock } from './render-blocks.ts';
import type { Element, Root } from './hast.ts';
import { stripComments } from './strip-comments.ts';
import { allowedTags, rehypeEscapeRawHtml } from './escape-raw-html.ts';

export type NoteSource = {
  /** Untrusted. */
  body: string;
  /** Number of lines of the file before this text. */
  lineOffset: number;
  /** Whether to leave out line numbers. */
  isPlain: boolean;
  /** Whether it is a part of a note inside of a page: its headings have no ids and are below those of the page. */
  isPassage?: boolean;
  /** Translated labels: the heading of footnotes, and the default titles of callouts. */
  labels: { footnotes: string; callouts: Readonly<Record<string, string>> };
};

/** `isComplete` is false while more blocks are to come. */
export type ParsedNote = { blocks: NoteBlock[]; headings: Heading[]; isComplete: boolean };

/** Plugins that are loaded only for texts that need them. */
export type ParserPlugins = { math: PluggableList; tags: PluggableList };
type PluginName = keyof ParserPlugins;

const noParts: ParserPlugins = { math: [], tags: [] };

export function requiredPlugins(body: string): PluginName[] {
  const needed: PluginName[] = [];
  if (body.includes('$')) needed.push('math');
  if (/<\/?[a-z]/i.test(body)) needed.push('tags');
  return needed;
}

export async function loadPlugins(names: readonly PluginName[]): Promise<ParserPlugins> {
  const [math, tags] = await Promise.all([
    names.includes('math')
      ? import('./math-syntax.ts').then(({ remarkStrictMath }) => [remarkStrictMath])
      : [],
    names.includes('tags') ? import('rehype-raw').then(({ default: rehypeRaw }) => [rehypeRaw]) : [],
  ]);
  return { math, tags };
}

/** `clobberPrefix` is empty, because `prefixIds` adds the prefix to ids. */
const schema = {
  ...defaultSchema,
  clobberPrefix: '',
  tagNames: [...allowedTags, 'input', 'section'],
  attributes: {
    ...defaultSchema.attributes,
    code: [['className', /^language-./, 'math-inline', 'math-display']],
  },
};

/** Parses and sanitizes markdown, adds line numbers, and splits the result into blocks that can be rendered one by one. */
export function parseNote(
  { body, lineOffset, isPlain, isPassage = isPlain, labels }: NoteSource,
  parts = noParts,
): ParsedNote {
  const text = stripComments(body);
  const headings: Heading[] = [];
  const plugins: PluggableList = [
    remarkParse,
    remarkGfm,
    ...parts.math,
    [remarkRehype, { allowDangerousHtml: true, footnoteLabel: labels.footnotes }],
    rehypeEscapeRawHtml,
    ...parts.tags,
    [rehypeSanitize, schema],
    () => prefixIds,
    rehypeCallouts(labels.callouts),
    rehypeLineNumbers({
      lineOffset,
      isPlain,
      isPassage,
      lines: text.split('\n'),
      onHeading: (each) => headings.push(each),
    }),
  ];
  const processor = unified().use(plugins);
  const tree = processor.runSync(processor.parse(text)) as unknown as Root;
  return { blocks: splitIntoBlocks(tree, lineOffset), headings, isComplete: true };
}

/** Prefixes ids, so that they cannot collide with those of the page. Ids of footnotes already have the prefix. */
function prefixIds(node: Root | Element): void {
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    const { id } = child.properties;
    if (typeof id === 'string' && !id.startsWith('user-content-'))
      child.properties['id'] = `user-content-${id}`;
    prefixIds(child);
  }
}
