import type { SyntaxNode } from '@lezer/common';
import { noteLanguage } from './note-language.ts';

const elements: Readonly<Record<string, string>> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 'del',
  InlineCode: 'code',
  Highlight: 'mark',
};
const links = new Set(['Link', 'Wikilink', 'Autolink', 'Hashtag']);

/** Appends one line of markdown as text in elements without attributes of the note. Markup is left out. */
export function renderInline(parent: HTMLElement, text: string): void {
  const paragraph = noteLanguage().language.parser.parse(text).topNode.firstChild;
  if (paragraph?.name !== 'Paragraph') parent.append(text);
  else appendChildren(parent, paragraph, text);
}

function appendChildren(parent: HTMLElement, node: SyntaxNode, text: string): void {
  let at = node.from;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    parent.append(text.slice(at, child.from));
    at = child.to;
    if (child.name === 'Escape') parent.append(text.slice(child.from + 1, child.to));
    else if (/Mark$|^URL$|^LinkTitle$/.test(child.name) && node.name !== 'Paragraph') continue;
    else appendNode(parent, child, text);
  }
  parent.append(text.slice(at, node.to));
}

function appendNode(parent: HTMLElement, node: SyntaxNode, text: string): void {
  const element = document.createElement(elements[node.name] ?? 'span');
  if (links.has(node.name)) element.className = 'cm-note-link';
  if (node.name === 'Wikilink')
    element.append(text.slice(node.from + 2, node.to - 2).replace(/^[^|]*\|/, ''));
  else if (node.name === 'Link' && node.getChild('URL') !== null) appendLinkText(element, node, text);
  else if (node.firstChild === null) element.append(text.slice(node.from, node.to));
  else appendChildren(element, node, text);
  parent.append(element);
}

/** The text of `[text](url)`. */
function appendLinkText(element: HTMLElement, node: SyntaxNode, text: string): void {
  const [open, close] = node.getChildren('LinkMark');
  element.append(text.slice(open?.to ?? node.from, close?.from ?? node.to));
}
