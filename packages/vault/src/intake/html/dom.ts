/** What is used here of an element of either parser, turndown's or linkedom's. */
export type Element = {
  nodeName: string;
  nodeType: number;
  textContent: string | null;
  parentNode: Element | null;
  ownerDocument: Page;
  childNodes: ArrayLike<Element>;
  children: ArrayLike<Element>;
  innerHTML: string;
  getAttribute: (name: string) => string | null;
  setAttribute: (name: string, value: string) => void;
  /** One parser answers null, the other undefined. */
  querySelector: (selector: string) => Element | null | undefined;
  closest: (selector: string) => Element | null | undefined;
  querySelectorAll: (selector: string) => ArrayLike<Element>;
  replaceWith: (...nodes: (Element | string)[]) => void;
  remove: () => void;
};

export type Page = {
  body: Element;
  documentElement: Element | null;
  getElementById: (id: string) => Element | null;
  querySelector: (selector: string) => Element | null;
  querySelectorAll: (selector: string) => ArrayLike<Element>;
};

export function childrenOf(element: Element): Element[] {
  return Array.from(element.children);
}

export function parentNamed(element: Element, ...names: string[]): boolean {
  return names.includes(element.parentNode?.nodeName ?? '');
}

export function holds(element: Element, selector: string): boolean {
  return (element.querySelector(selector) ?? null) !== null;
}

export function isWithin(element: Element, selector: string): boolean {
  return (element.closest(selector) ?? null) !== null;
}
