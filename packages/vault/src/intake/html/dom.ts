/** The part of an element that is used here; both turndown's parser and linkedom provide it. */
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
  /** One parser returns null, the other undefined. */
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

export function childElements(element: Element): Element[] {
  return Array.from(element.children);
}

export function hasParent(element: Element, ...names: string[]): boolean {
  return names.includes(element.parentNode?.nodeName ?? '');
}

export function contains(element: Element, selector: string): boolean {
  return (element.querySelector(selector) ?? null) !== null;
}

export function isInside(element: Element, selector: string): boolean {
  return (element.closest(selector) ?? null) !== null;
}
