import type { Element, ElementContent } from './hast.ts';
import { highlightTerms } from '../search/highlighted-line.tsx';
import { normalizeText } from '../palette/normalize-text.ts';
import type { NoteBlock } from './render-blocks.ts';

/** What is marked in a passage. */
export type PassageMarks = {
  /** Every occurrence of these terms, normalized, is marked. */
  words: readonly string[];
  /** The sentence with the most of these terms is marked. */
  sentence: readonly string[];
  /** The line to prefer if several sentences match equally well. */
  line?: number | undefined;
};

type Range = { start: number; end: number };
type Leaf = { text: string; line: number };

const blockTags =
  /^(?:p|ul|ol|li|dl|dt|dd|pre|blockquote|table|thead|tbody|tfoot|tr|td|th|h\d|hr|div|details|summary|section|figure|figcaption)$/;

/** Marks words and the best sentence in rendered blocks. */
export function markPassage(blocks: readonly NoteBlock[], marks: PassageMarks): NoteBlock[] {
  const leaves: Leaf[] = [];
  walkBlocks(blocks, (inline) => {
    leaves.push({ text: textOf(inline), line: lineOf(inline) ?? leaves.at(-1)?.line ?? 0 });
    return inline;
  });
  const best = findBestSentence(leaves, marks);
  let at = -1;
  return walkBlocks(blocks, (inline) => {
    at += 1;
    const sentence = best?.leaf === at ? best.range : null;
    return markInline(inline, { at: 0 }, sentence, marks.words);
  });
}

/** Rebuilds blocks, replacing each run of inline content. */
function walkBlocks(
  blocks: readonly NoteBlock[],
  replace: (inline: ElementContent[]) => ElementContent[],
): NoteBlock[] {
  const walk = (nodes: readonly ElementContent[]): ElementContent[] => {
    const result: ElementContent[] = [];
    let run: ElementContent[] = [];
    const close = (): void => {
      if (run.length > 0) result.push(...replace(run));
      run = [];
    };
    for (const node of nodes) {
      if (!isBlock(node)) run.push(node);
      else {
        close();
        result.push({ ...node, children: walk(node.children) });
      }
    }
    close();
    return result;
  };
  return blocks.map((block) => ({ ...block, children: walk(block.children) }));
}

function isBlock(node: ElementContent): node is Element {
  return node.type === 'element' && blockTags.test(node.tagName);
}

function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.value;
      if (node.type !== 'element') return '';
      return node.tagName === 'br' ? '\n' : textOf(node.children);
    })
    .join('');
}

function lineOf(nodes: readonly ElementContent[]): number | null {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    const { dataLine } = node.properties;
    const line = typeof dataLine === 'number' ? dataLine : lineOf(node.children);
    if (line !== null) return line;
  }
  return null;
}

/** Splits a text into sentences and lines, without the white space around them. */
export function splitSentences(text: string): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  for (const end of [...text.matchAll(/(?<=[.!?…][)»”"’]?)\s+(?=\S)|\n/g)].map(({ index }) => index)) {
    ranges.push({ start, end });
    start = end;
  }
  return [...ranges, { start, end: text.length }].flatMap((range) => {
    const part = text.slice(range.start, range.end);
    const from = range.start + part.length - part.trimStart().length;
    const to = from + part.trim().length;
    return to > from ? [{ start: from, end: to }] : [];
  });
}

/** The sentence with the most different terms; on a tie the one in the preferred line, then the first. */
function findBestSentence(
  leaves: readonly Leaf[],
  { sentence: terms, line }: PassageMarks,
): { leaf: number; range: Range } | null {
  let best: { leaf: number; range: Range; score: number } | null = null;
  for (const [leaf, { text, line: first }] of leaves.entries())
    for (const range of splitSentences(text)) {
      const sentence = normalizeText(text.slice(range.start, range.end));
      const isPreferred = line === first + (text.slice(0, range.start).match(/\n/g)?.length ?? 0);
      const found = terms.filter((term) => sentence.includes(term)).length;
      const score = found === 0 && !isPreferred ? 0 : found + (isPreferred ? 0.5 : 0);
      if (score > (best?.score ?? 0)) best = { leaf, range, score };
    }
  return best;
}

/** `position` is the offset of the next text in the run. */
function markInline(
  nodes: readonly ElementContent[],
  position: { at: number },
  sentence: Range | null,
  words: readonly string[],
): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === 'element') {
      if (node.tagName === 'br') position.at += 1;
      return [{ ...node, children: markInline(node.children, position, sentence, words) }];
    }
    if (node.type !== 'text') return [node];
    const start = position.at;
    position.at += node.value.length;
    return highlightTerms(node.value, words).flatMap(({ text, isHit }, index, all) => {
      const offset = all.slice(0, index).reduce((sum, part) => sum + part.text.length, start);
      return isHit ? [mark(text, 'hit')] : markSentence(text, offset, sentence);
    });
  });
}

function markSentence(text: string, offset: number, sentence: Range | null): ElementContent[] {
  const inText = (position: number): number => Math.min(Math.max(position - offset, 0), text.length);
  const [start, end] = sentence === null ? [0, 0] : [inText(sentence.start), inText(sentence.end)];
  const plain = (value: string): ElementContent[] => (value === '' ? [] : [{ type: 'text', value }]);
  return start === end
    ? plain(text)
    : [...plain(text.slice(0, start)), mark(text.slice(start, end), 'sentence'), ...plain(text.slice(end))];
}

function mark(value: string, className: 'hit' | 'sentence'): Element {
  return {
    type: 'element',
    tagName: 'mark',
    properties: { className: [className] },
    children: [{ type: 'text', value }],
  };
}
