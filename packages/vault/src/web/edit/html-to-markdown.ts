import TurndownService from 'turndown';

/**
 * Converts HTML from the clipboard to markdown. It is parsed without loading or running anything. Images become links, because a
 * note must not load remote resources, and links have only addresses of web pages and mail.
 */
export function htmlToMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    hr: '---',
  });
  service.remove(['style', 'script', 'noscript', 'template', 'title', 'meta', 'iframe', 'object', 'head']);
  // Text that looks like a tag stays text in every program.
  service.escape = (text) =>
    TurndownService.prototype.escape.call(service, text).replaceAll(/<(?=[a-z/!?])/gi, '\\<');
  addRules(service);
  return service
    .turndown(html.replaceAll(/<!--[\s\S]*?-->/g, ''))
    .replaceAll(/[\u00A0\u2007]/g, ' ')
    .replaceAll(/^(\s*(?:-|\d+\.)) {2,}(?=\S)/gm, '$1 ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function addRules(service: TurndownService): void {
  const attribute = (node: TurndownService.Node, name: string): string =>
    (node as Element).getAttribute(name) ?? '';
  // Google Docs puts everything into a `b` that is not bold.
  service.addRule('weightless', {
    filter: (node) =>
      /^(?:B|STRONG)$/.test(node.nodeName) && /font-weight:\s*(?:normal|400)/.test(attribute(node, 'style')),
    replacement: (content) => content,
  });
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A',
    replacement: (content, node) => linkTo(attribute(node, 'href'), content),
  });
  service.addRule('image', {
    filter: (node) => node.nodeName === 'IMG',
    replacement: (_, node) => linkTo(attribute(node, 'src'), service.escape(attribute(node, 'alt'))),
  });
  service.addRule('struck', {
    filter: (node) => /^(?:DEL|S|STRIKE)$/.test(node.nodeName),
    replacement: (content) => (content.trim() === '' ? content : `~~${content.trim()}~~`),
  });
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content) =>
      ` ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`,
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) =>
      `|${content}\n${isFirstRow(node) ? `|${' --- |'.repeat(node.childNodes.length)}\n` : ''}`,
  });
  service.addRule('section', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.replaceAll(/\n{2,}/g, '\n').trim()}\n\n`,
  });
}

function linkTo(url: string, content: string): string {
  const text = content.trim();
  if (!/^(?:https?:|mailto:)/i.test(url)) return content;
  const target = url.replaceAll(' ', '%20').replaceAll('(', '%28').replaceAll(')', '%29');
  return text === '' ? '' : `[${text}](${target})`;
}

/** Whether this is the first row of its table; markdown needs a header row. */
function isFirstRow(node: TurndownService.Node): boolean {
  const row = node as Element;
  const section = row.parentElement;
  const isFirst = row.previousElementSibling === null;
  if (section === null || section.nodeName === 'TABLE') return isFirst;
  return isFirst && section.previousElementSibling?.querySelector('tr') == null;
}
