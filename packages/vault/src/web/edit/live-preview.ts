import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension, Range } from '@codemirror/state';
import { Decoration, ViewPlugin } from '@codemirror/view';
import type { DecorationSet, EditorView, ViewUpdate, WidgetType } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';
import { BulletWidget, CheckboxWidget, ImageWidget, RuleWidget } from './preview-widgets.ts';

/** Returns the URL of an image of the vault; null for every other source, which is never loaded. */
export type ImageUrl = (source: string, isWikilink: boolean) => string | null;

type Drawing = {
  state: EditorState;
  imageUrl: ImageUrl;
  /** Whether the selection touches the lines from one position to another, whose markup is shown. */
  isActive: (from: number, to: number) => boolean;
  /** The visible part that is drawn. */
  visible: { from: number; to: number };
  add: (range: Range<Decoration>) => void;
  /** Hides a range, or replaces it by a widget. Does nothing for a range of several lines, which CodeMirror forbids here. */
  replace: (from: number, to: number, widget?: WidgetType) => void;
};
/** Returns false if the children of the node must not be drawn. */
type Draw = (node: SyntaxNodeRef, drawing: Drawing) => boolean | void;

const classes = (name: string): Decoration => Decoration.mark({ class: name });
const lineClasses = (name: string): Decoration => Decoration.line({ class: name });

/** Draws the markdown in the visible part of the editor. The markup of the lines that the selection touches is shown. */
export function livePreview(imageUrl: ImageUrl): Extension {
  return ViewPlugin.define(
    (view) => {
      let decorations = drawVisible(view, imageUrl);
      return {
        get decorations(): DecorationSet {
          return decorations;
        },
        update(update: ViewUpdate) {
          const isParsed = syntaxTree(update.state) !== syntaxTree(update.startState);
          if (update.docChanged || update.viewportChanged || update.selectionSet || isParsed)
            decorations = drawVisible(update.view, imageUrl);
        },
      };
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function drawVisible({ state, visibleRanges }: EditorView, imageUrl: ImageUrl): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  const active = state.selection.ranges.map(({ from, to }) => ({
    from: state.doc.lineAt(from).from,
    to: state.doc.lineAt(to).to,
  }));
  const shared: Omit<Drawing, 'visible'> = {
    state,
    imageUrl,
    isActive: (from, to) => active.some((lines) => from <= lines.to && to >= lines.from),
    add: (range) => void ranges.push(range),
    replace(from, to, widget) {
      if (from < to && to <= state.doc.lineAt(from).to)
        ranges.push(Decoration.replace(widget === undefined ? {} : { widget }).range(from, to));
    },
  };
  for (const visible of visibleRanges) {
    const drawing = { ...shared, visible };
    syntaxTree(state).iterate({ ...visible, enter: (node) => draw[node.name]?.(node, drawing) });
  }
  return Decoration.set(ranges, true);
}

/** Hides markup, unless the caret is on its line. */
const hideMark: Draw = ({ from, to }, { replace, isActive }) => {
  if (!isActive(from, to)) replace(from, to);
};

const styled = (name: string): Draw => {
  const decoration = classes(name);
  return ({ from, to }, { add }) => add(decoration.range(from, to));
};

const headings: Record<string, Draw> = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].flatMap((level) => {
    const decoration = lineClasses(`cm-heading cm-heading-${level}`);
    const drawHeading: Draw = ({ from }, { add, state }) =>
      add(decoration.range(state.doc.lineAt(from).from));
    return [
      [`ATXHeading${level}`, drawHeading],
      [`SetextHeading${level}`, drawHeading],
    ];
  }),
);

const codeLine = lineClasses('cm-code-line');
const quoteLine = lineClasses('cm-quote-line');
const tableLine = lineClasses('cm-table-line');

/** Adds a class to each visible line of a block. */
const eachLine =
  (decoration: Decoration): Draw =>
  ({ from, to }, { add, state, visible }) => {
    const last = state.doc.lineAt(Math.min(to, visible.to)).number;
    for (let number = state.doc.lineAt(Math.max(from, visible.from)).number; number <= last; number += 1)
      add(decoration.range(state.doc.line(number).from));
  };

const drawHeadingMark: Draw = (node, drawing) => {
  const { replace, isActive, state } = drawing;
  if (isActive(node.from, node.to)) return;
  // The space after the marks of `# Heading` is hidden, too; a line below a heading consists of marks only.
  const isUnderline = node.node.parent?.name.startsWith('Setext') === true;
  const after = state.doc.sliceString(node.to, node.to + 1) === ' ' ? 1 : 0;
  if (!isUnderline) replace(node.from, node.to + after);
};

/** Shows the text of `[text](url)` only. Links without a URL of their own, such as `[text]`, stay as they are. */
const drawLink: Draw = (node, { add, replace, isActive }) => {
  const url = node.node.getChild('URL');
  const [open, close] = node.node.getChildren('LinkMark');
  if (url === null || open === undefined || close === undefined) return;
  add(classes('cm-note-link').range(node.from, node.to));
  if (isActive(node.from, node.to) || close.from <= open.to) return;
  replace(open.from, open.to);
  replace(close.from, node.to);
};

const drawWikilink: Draw = ({ from, to }, { add, replace, isActive, state }) => {
  add(classes('cm-note-link').range(from, to));
  if (isActive(from, to)) return;
  const bar = state.doc.sliceString(from, to).indexOf('|');
  replace(from, bar > 0 ? from + bar + 1 : from + 2);
  replace(to - 2, to);
};

/** Draws `![alt](source)` of the vault. A remote image stays text, because loading it would reveal that the note was read. */
const drawImage: Draw = (node, drawing) => {
  const url = node.node.getChild('URL');
  if (url === null) return;
  const source = drawing.state.doc.sliceString(url.from, url.to).replace(/^<|>$/g, '');
  const alt = /^!\[([^\]]*)\]/.exec(drawing.state.doc.sliceString(node.from, node.to))?.[1] ?? '';
  return drawImageFrom(node, drawing, drawing.imageUrl(source, false), alt);
};

const drawEmbed: Draw = (node, drawing) => {
  const inner = drawing.state.doc.sliceString(node.from + 3, node.to - 2);
  const [name = '', size = ''] = inner.split('|');
  const url = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i.test(name.trim())
    ? drawing.imageUrl(name, true)
    : null;
  return drawImageFrom(node, drawing, url, name, /^\d+/.exec(size)?.[0]);
};

function drawImageFrom(
  { from, to }: SyntaxNodeRef,
  { add, replace, isActive }: Drawing,
  url: string | null,
  alt: string,
  width?: string,
): boolean {
  if (url === null) add(classes('cm-note-link').range(from, to));
  else if (!isActive(from, to)) {
    replace(from, to, new ImageWidget(url, alt, width ?? null));
    return false;
  }
  return true;
}

/** Draws the box of a task, and a bullet for other items. Numbers of items are text. */
const drawListMark: Draw = (node, { replace, isActive, state }) => {
  if (isActive(node.from, node.to)) return;
  const mark = state.doc.sliceString(node.from, node.to);
  if (/\d/.test(mark)) return;
  const isTask = node.node.nextSibling?.name === 'Task';
  if (isTask) replace(node.from, Math.min(node.to + 1, state.doc.lineAt(node.to).to));
  else replace(node.from, node.to, new BulletWidget());
};

const drawTask: Draw = ({ from, to }, { replace, isActive, state }) => {
  if (isActive(from, to)) return;
  const isDone = /[xX]/.test(state.doc.sliceString(from, to));
  replace(from, to, new CheckboxWidget(isDone));
};

const drawDoneTask: Draw = ({ from, to }, { add, state }) => {
  if (/^\[[xX]\]/.test(state.doc.sliceString(from, from + 3)) && to > from + 3)
    add(classes('cm-done').range(from + 3, to));
};

const drawInlineCode: Draw = (node, { add, replace, isActive }) => {
  add(classes('cm-inline-code').range(node.from, node.to));
  if (isActive(node.from, node.to)) return;
  for (const { from, to } of node.node.getChildren('CodeMark')) replace(from, to);
};

const drawRule: Draw = ({ from, to }, { replace, isActive }) => {
  if (!isActive(from, to)) replace(from, to, new RuleWidget());
};

const drawQuoteMark: Draw = ({ from, to }, { replace, isActive, state }) => {
  const after = state.doc.sliceString(to, to + 1) === ' ' ? 1 : 0;
  if (!isActive(from, to)) replace(from, to + after);
};

const draw: Readonly<Record<string, Draw>> = {
  ...headings,
  HeaderMark: drawHeadingMark,
  Emphasis: styled('cm-emphasis'),
  StrongEmphasis: styled('cm-strong'),
  EmphasisMark: hideMark,
  Strikethrough: styled('cm-struck'),
  StrikethroughMark: hideMark,
  Highlight: styled('cm-marked'),
  HighlightMark: hideMark,
  InlineCode: drawInlineCode,
  Link: drawLink,
  Autolink: styled('cm-note-link'),
  Wikilink: drawWikilink,
  Image: drawImage,
  WikiEmbed: drawEmbed,
  Hashtag: styled('cm-tag'),
  ListMark: drawListMark,
  Task: drawDoneTask,
  TaskMarker: drawTask,
  FencedCode: eachLine(codeLine),
  CodeBlock: eachLine(codeLine),
  Blockquote: eachLine(quoteLine),
  QuoteMark: drawQuoteMark,
  Table: eachLine(tableLine),
  HorizontalRule: drawRule,
};
