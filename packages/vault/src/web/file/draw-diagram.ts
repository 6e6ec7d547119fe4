import mermaid from 'mermaid';
import { inTurn } from '../../contract/index.ts';
import { newId } from '../api/new-id.ts';

/** What gives the drawing its colours, for as long as it is shown. */
export type Drawn = { sheet: CSSStyleSheet };

const svgNamespace = 'http://www.w3.org/2000/svg';
/** Of a diagram everything is drawn with these; what is none of them is taken away. */
const unwanted = /^(?:script|foreignobject|image|feimage|iframe|animate.*|set|style|metadata)$/i;
/** A reference to anything but a part of the drawing itself. */
const leadsOut = /url\(\s*(?!["']?#)|image-set|@import|expression/i;

/** Longer ones would keep the page waiting. */
const longest = 8_000;

const drawing = inTurn();

/**
 * Draws what a note says, which is not trusted: no HTML in labels, no directives, no pictures. The policy of the page forbids styles
 * that are written into it, so what mermaid writes there becomes a style sheet that is made, as the policy allows; to be taken away
 * with the drawing.
 */
export function drawDiagram(source: string, place: HTMLElement): Promise<Drawn> {
  return drawing(async () => {
    if (source.length > longest) throw new Error('it is too long');
    const text = withoutDirectives(source);
    // A picture in a shape is asked for as soon as it is drawn.
    if (/@\{[^}]*(?:img|icon|\\)/i.test(text)) throw new Error('pictures are not drawn');
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      theme: 'neutral',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      suppressErrorRendering: true,
      maxTextSize: 2 * longest,
      maxEdges: 150,
      fontFamily: 'inherit',
      logLevel: 'fatal',
    });
    const sheet = new CSSStyleSheet();
    const guard = guardStyles(sheet);
    const id = `diagram-${newId()}`;
    // What it draws into is taken as it is: as text, which it makes of it in the end, it would have to be read again.
    let holder: Element | null = null;
    const observer = new MutationObserver(() => {
      holder ??= place.querySelector(`#d${id}`);
      if (holder !== null) Object.defineProperty(holder, 'innerHTML', { get: () => '', configurable: true });
    });
    observer.observe(place, { childList: true });
    try {
      await mermaid.render(id, text, place);
      const svg = (holder as Element | null)?.querySelector('svg') ?? null;
      if (svg === null || !clean(svg)) throw new Error('it cannot be drawn without HTML');
      place.replaceChildren(svg);
      fit(svg);
      return { sheet };
    } catch (error) {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
      place.replaceChildren();
      throw error;
    } finally {
      observer.disconnect();
      guard.end();
    }
  });
}

/** Colours and the like are those of the page. A tag in a label is shown as it is written. */
function withoutDirectives(source: string): string {
  return source
    .replace(/^\s*---\n[\s\S]*?\n---\s*\n/, '')
    .replaceAll(/%%\{[\s\S]*?\}%%/g, '')
    .replaceAll(/(?<!<)<(?=[!/]?[a-z])(?!br\s*\/?>)/gi, '#lt;');
}

/** While it draws, what mermaid writes as styles goes another way, and nothing in a drawing leads anywhere. */
function guardStyles(sheet: CSSStyleSheet): { end: () => void } {
  const { setAttribute, setAttributeNS } = Object.getOwnPropertyDescriptors(Element.prototype);
  const guarded = {
    setAttribute(this: Element, name: string, value: unknown): void {
      const text = String(value);
      if (name === 'style' && (this instanceof HTMLElement || this instanceof SVGElement))
        this.style.cssText = leadsOut.test(text) ? '' : text;
      else if (!isRefused(this, name, text)) setAttribute.value?.call(this, name, text);
    },
    setAttributeNS(this: Element, space: string | null, name: string, value: unknown): void {
      const text = String(value);
      if (!isRefused(this, name, text)) setAttributeNS.value?.call(this, space, name, text);
    },
  };
  Object.assign(Element.prototype, guarded);
  const createElement = (name: string, options?: ElementCreationOptions): Element => {
    if (name !== 'style') return Document.prototype.createElement.call(document, name, options);
    const instead = document.createElementNS(svgNamespace, 'metadata');
    return Object.defineProperty(instead, 'innerHTML', {
      set(css: string) {
        adopt(sheet, css);
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

/** In a drawing nothing happens, and nothing is fetched. */
function isRefused({ namespaceURI }: Element, name: string, value: string): boolean {
  return namespaceURI === svgNamespace && isActive(name, value);
}

function isActive(name: string, value: string): boolean {
  return /^on/i.test(name) || (/(?:^|:)(?:href|src)$/i.test(name) && !value.startsWith('#'));
}

function adopt(sheet: CSSStyleSheet, css: string): void {
  sheet.replaceSync(leadsOut.test(css) ? '' : css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** As large as what is in it: it was measured before everything had its place. */
function fit(svg: SVGSVGElement): void {
  const { x, y, width, height } = svg.getBBox();
  const room = 8;
  svg.setAttribute('role', 'img');
  // Who does not see it hears what stands in it.
  const words = Array.from(svg.querySelectorAll('text'), ({ textContent }) => textContent.trim());
  svg.setAttribute('aria-label', words.filter((each) => each !== '').join(', ') || 'diagram');
  svg.setAttribute('viewBox', [x - room, y - room, width + 2 * room, height + 2 * room].join(' '));
  svg.setAttribute('width', '100%');
  svg.removeAttribute('height');
  svg.style.maxWidth = `${width + 2 * room}px`;
}

/** Whether everything that it says is still said when all is taken away that does not belong into a drawing. */
function clean(svg: SVGElement): boolean {
  for (const element of svg.querySelectorAll('*')) {
    const isUnwanted = unwanted.test(element.localName) || element.namespaceURI !== svgNamespace;
    if (isUnwanted && element.textContent.trim() !== '' && element.localName !== 'style') return false;
    if (isUnwanted) element.remove();
  }
  for (const element of [svg, ...svg.querySelectorAll('*')])
    for (const { name, value } of Array.from(element.attributes))
      if (isActive(name, value) || leadsOut.test(value)) element.removeAttribute(name);
  return true;
}
