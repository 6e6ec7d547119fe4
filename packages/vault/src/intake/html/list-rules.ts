import type TurndownService from 'turndown';
import { trimEndCharacters } from '../../vault/index.ts';
import { childElements, contains, isInside, hasParent } from './dom.ts';
import type { Element } from './dom.ts';

const isList = (element: Element): boolean => element.nodeName === 'UL' || element.nodeName === 'OL';

/** Writes no blank lines between single-paragraph items, and formats tasks as `[ ]` and `[x]`. */
export function addListRules(service: TurndownService): void {
  const numbers = new WeakMap<Element, number>();
  const nextNumber = (list: Element): number => {
    const number = numbers.get(list) ?? firstNumber(list);
    numbers.set(list, number + 1);
    return number;
  };
  service.addRule('list', {
    filter: ['ul', 'ol'],
    replacement: (content, list: Element) => {
      const items = trimEndCharacters(content.replace(/^\n+/, ''), '\n');
      if (items === '') return '';
      // Some programs put a nested list directly into the list, not into an item.
      if (isList(list.parentNode ?? list)) return `${items.replaceAll(/^(?=.)/gm, '  ')}\n`;
      return `\n\n${items}\n\n`;
    },
  });
  service.addRule('item', {
    filter: 'li',
    replacement: (content, item: Element) => {
      const text = isShort(item) ? content.trim().replaceAll(/\n{2,}/g, '\n') : content.trim();
      if (text === '') return '';
      const mark = hasParent(item, 'OL') ? `${nextNumber(item.parentNode ?? item)}. ` : '- ';
      const indented = text.replaceAll(/\n(?=.)/g, `\n${' '.repeat(mark.length)}`);
      return `${mark}${indented}\n${indented.includes('\n\n') ? '\n' : ''}`;
    },
  });
  service.addRule('task', {
    filter: (node: Element) =>
      node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox' && isInside(node, 'li'),
    replacement: (_, box: Element) => (box.getAttribute('checked') === null ? '[ ] ' : '[x] '),
  });
}

/** Whether an item is one paragraph, optionally followed by a list. */
function isShort(item: Element): boolean {
  const blocks = childElements(item).filter(({ nodeName }) => nodeName === 'P' || nodeName === 'DIV');
  return blocks.length <= 1 && !contains(item, 'pre, table, blockquote, div p, div div, h1, h2, h3, h4');
}

function firstNumber(list: Element): number {
  const first = Number(list.getAttribute('start') ?? '1');
  return Number.isSafeInteger(first) && first >= 0 && first < 1e8 ? first : 1;
}
