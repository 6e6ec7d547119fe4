import mermaid from 'mermaid';
import { createLimiter } from '../../contract/index.ts';
import { createId } from '../api/create-id.ts';

/** The style sheet of a diagram. The caller removes it from the document together with the diagram. */
export type RenderedDiagram = { sheet: CSSStyleSheet };

const svgNamespace = 'http://www.w3.org/2000/svg';
/** Elements that may run code, load content or contain HTML; they are removed from a diagram. */
const forbiddenElements = /^(?:script|foreignobject|image|feimage|iframe|animate.*|set|style|metadata)$/i;
/** A CSS reference to anything outside of the diagram. */
const externalReference = /url\(\s*(?!["']?#)|image-set|@import|expression/i;

/** Longer diagrams would block the page. */
const maxDiagramCharacters = 8_000;

const renderMutex = createLimiter();

/**
 * Renders the diagram of a note. The source is untrusted: HTML in labels, directives and images are not rendered. The content
 * security policy forbids inline styles, so the styles of mermaid are moved into a constructed style sheet, which the caller
 * removes together with the diagram.
 */
export function renderDiagram(
  source: string,
  container: HTMLElement,
  isDark: boolean,
): Promise<RenderedDiagram> {
  return renderMutex(async () => {
    if (source.length > maxDiagramCharacters) throw new Error('the diagram is too long');
    const text = withoutDirectives(source);
    // mermaid would load the images of shapes while it renders.
    if (/@\{[^}]*(?:img|icon|\\)/i.test(text)) throw new Error('images in diagrams are not supported');
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      theme: isDark ? 'dark' : 'neutral',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      suppressErrorRendering: true,
      maxTextSize: 2 * maxDiagramCharacters,
      maxEdges: 150,
      fontFamily: 'inherit',
      logLevel: 'fatal',
    });
    const sheet = new CSSStyleSheet();
    const guard = guardDom(sheet);
    const id = `diagram-${createId()}`;
    // Takes the SVG directly from the element that mermaid renders into. Reading the `innerHTML` of that element, as
    // mermaid does at the end, is disabled, because the serialized text is not used.
    let holder: Element | null = null;
    const observer = new MutationObserver(() => {
      holder ??= container.querySelector(`#d${id}`);
      if (holder !== null) Object.defineProperty(holder, 'innerHTML', { get: () => '', configurable: true });
    });
    observer.observe(container, { childList: true });
    try {
      await mermaid.render(id, text, container);
      const svg = (holder as Element | null)?.querySelector('svg') ?? null;
      if (svg === null || !sanitizeSvg(svg)) throw new Error('the diagram cannot be rendered without HTML');
      container.replaceChildren(svg);
      fitViewBox(svg);
      return { sheet };
    } catch (error) {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
      container.replaceChildren();
      throw error;
    } finally {
      observer.disconnect();
      guard.end();
    }
  });
}

/** Removes configuration, because the page sets colors and fonts, and escapes tags in labels. */
function withoutDirectives(source: string): string {
  return source
    .replace(/^\s*---\n[\s\S]*?\n---\s*\n/, '')
    .replaceAll(/%%\{[\s\S]*?\}%%/g, '')
    .replaceAll(/(?<!<)<(?=[!/]?[a-z])(?!br\s*\/?>)/gi, '#lt;');
}

/** While mermaid renders, redirects the styles it writes to `sheet` and blocks event handlers and links. Call `end` afterwards. */
function guardDom(sheet: CSSStyleSheet): { end: () => void } {
  const { setAttribute, setAttributeNS } = Object.getOwnPropertyDescriptors(Element.prototype);
  const guarded = {
    setAttribute(this: Element, name: string, value: unknown): void {
      const text = String(value);
      if (name === 'style' && (this instanceof HTMLElement || this instanceof SVGElement))
        this.style.cssText = externalReference.test(text) ? '' : text;
      else if (!isForbidden(this, name, text)) setAttribute.value?.call(this, name, text);
    },
    setAttributeNS(this: Element, space: string | null, name: string, value: unknown): void {
      const text = String(value);
      if (!isForbidden(this, name, text)) setAttributeNS.value?.call(this, space, name, text);
    },
  };
  Object.assign(Element.prototype, guarded);
  const createElement = (name: string, options?: ElementCreationOptions): Element => {
    if (name !== 'style') return Document.prototype.createElement.call(document, name, options);
    const instead = document.createElementNS(svgNamespace, 'metadata');
    return Object.defineProperty(instead, 'innerHTML', {
      set(css: string) {
        insertRules(sheet, css);
      },
    });
  };
  Object.defineProperty(document, 'createElement', { value: createElement, configurable: true });
  return {
    end() {
      Object.defineProperties(Element.prototype, { setAttribute, setAttributeNS });
      Reflect.deleteProperty(document, 'createElement');
    },
  };
}

/** Blocks attributes in the SVG that run code or load content. */
function isForbidden({ namespaceURI }: Element, name: string, value: string): boolean {
  return namespaceURI === svgNamespace && isScriptable(name, value);
}

function isScriptable(name: string, value: string): boolean {
  return /^on/i.test(name) || (/(?:^|:)(?:href|src)$/i.test(name) && !value.startsWith('#'));
}

function insertRules(sheet: CSSStyleSheet, css: string): void {
  sheet.replaceSync(externalReference.test(css) ? '' : css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Fits the view box to the content, because mermaid measured it before the styles applied. */
function fitViewBox(svg: SVGSVGElement): void {
  const { x, y, width, height } = svg.getBBox();
  const padding = 8;
  svg.setAttribute('role', 'img');
  // Screen readers read the labels of the diagram.
  const words = Array.from(svg.querySelectorAll('text'), ({ textContent }) => textContent.trim());
  svg.setAttribute('aria-label', words.filter((each) => each !== '').join(', ') || 'diagram');
  svg.setAttribute(
    'viewBox',
    [x - padding, y - padding, width + 2 * padding, height + 2 * padding].join(' '),
  );
  svg.setAttribute('width', '100%');
  svg.removeAttribute('height');
  svg.style.maxWidth = `${width + 2 * padding}px`;
}

/** Removes forbidden elements and attributes. Returns false if a removed element contained text. */
function sanitizeSvg(svg: SVGElement): boolean {
  for (const element of svg.querySelectorAll('*')) {
    const isUnwanted = forbiddenElements.test(element.localName) || element.namespaceURI !== svgNamespace;
    if (isUnwanted && element.textContent.trim() !== '' && element.localName !== 'style') return false;
    if (isUnwanted) element.remove();
  }
  for (const element of [svg, ...svg.querySelectorAll('*')])
    for (const { name, value } of Array.from(element.attributes))
      if (isScriptable(name, value) || externalReference.test(value)) element.removeAttribute(name);
  return true;
}
