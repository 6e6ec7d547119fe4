import type TurndownService from 'turndown';
import type { Element, Page } from './dom.ts';

const arrow = /^[\s[(]*[↑↩^][\uFE0E\uFE0F\s\])]*$/;

/** Converts footnotes: a superscript link to an item of a list at the end, which links back. */
export function addFootnoteRules(service: TurndownService): void {
  const pages = new WeakMap<Page, Map<string, string>>();
  const labelOf = (element: Element, id: string): string | undefined => {
    const labels = pages.get(element.ownerDocument) ?? findFootnotes(element.ownerDocument);
    pages.set(element.ownerDocument, labels);
    return labels.get(id);
  };
  const referred = (link: Element): string | undefined => labelOf(link, target(link));
  service.addRule('reference to note', {
    filter: (node: Element) => node.nodeName === 'A' && referred(node) !== undefined,
    replacement: (_, link: Element) => `[^${referred(link)}]`,
  });
  service.addRule('way back from note', {
    filter: (node: Element) =>
      node.nodeName === 'A' && target(node) !== '' && arrow.test(node.textContent ?? ''),
    replacement: () => '',
  });
  service.addRule('note', {
    filter: (node: Element) =>
      node.nodeName === 'LI' && labelOf(node, node.getAttribute('id') ?? '') !== undefined,
    replacement: (content, item: Element) => {
      const text = content.trim().replaceAll(/\n(?=.)/g, '\n    ');
      return `\n\n[^${labelOf(item, item.getAttribute('id') ?? '')}]: ${text}\n\n`;
    },
  });
}

function findFootnotes(page: Page): Map<string, string> {
  const links = Array.from(page.querySelectorAll('sup a, a > sup')).map((node) =>
    node.nodeName === 'A' ? node : (node.parentNode ?? node),
  );
  const ids = links.map(target).filter((id) => id !== '' && page.getElementById(id)?.nodeName === 'LI');
  return new Map([...new Set(ids)].map((id, index) => [id, String(index + 1)]));
}

function target(link: Element): string {
  const href = link.getAttribute('href') ?? '';
  return href.startsWith('#') ? href.slice(1) : '';
}
