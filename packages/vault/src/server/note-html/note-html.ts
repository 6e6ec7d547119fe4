import { createLinkResolver, headingId, parseLinkDestination, parseWikilinks } from '../../contract/index.ts';
import type { LinkResolver } from '../../contract/index.ts';
import { blockId, loadPlugins, parseNote, parseNoteFile, requiredPlugins } from '../../web/index.ts';
import type { Element, ElementContent } from '../../web/index.ts';
import { embedImages } from './embed-images.ts';
import type { ReadImage, ShownImage } from './embed-images.ts';
import { formatHtmlPage } from './html-page.ts';
import { formatDay, pageTexts } from './page-text.ts';
import type { PageLanguage, PageText } from './page-text.ts';
import { loadFormulaRenderer } from './render-formula.ts';
import type { RenderFormula } from './render-formula.ts';

/** A note to be rendered as one HTML file without scripts. Paths are relative to the vault. */
export type NoteHtmlRequest = {
  /** Untrusted. */
  text: string;
  path: string;
  /** The files other than notes, which the note may show or name. */
  files: readonly string[];
  language: PageLanguage;
  /** When the note is rendered, in milliseconds since 1970. */
  at: number;
};

/**
 * Renders a note with the parser and the sanitizer of the web interface. The result names no other note: links to notes
 * are their text, embedded notes are left out.
 */
export async function renderNoteHtml(request: NoteHtmlRequest, readImage: ReadImage): Promise<string> {
  const { text, path, language, at } = request;
  const { labels, exported } = pageTexts[language];
  const { body, properties } = parseNoteFile(text);
  const plugins = requiredPlugins(body);
  const { blocks, headings } = parseNote(
    { body, lineOffset: 0, isPlain: true, isPassage: false, labels },
    await loadPlugins(plugins),
  );
  const images: ShownImage[] = [];
  const resolver = createLinkResolver(request.files);
  const context: Context = {
    labels,
    renderFormula: plugins.includes('math') ? await loadFormulaRenderer() : () => null,
    find: (link) => resolver.resolve(link, path),
    images,
  };
  const children = blocks.flatMap((block) => block.children.flatMap((node) => draw(node, context)));
  const name = (path.split('/').at(-1) ?? path).replace(/\.(?:md|markdown)$/i, '');
  const title = properties.find(({ key }) => key === 'title')?.value || headings[0]?.text || name;
  const heading: ElementContent[] =
    headings[0]?.depth === 1 ? [] : [element('h1', {}, [{ type: 'text', value: title }])];
  await embedImages(images, readImage);
  const footer = exported(formatDay(at, language));
  return formatHtmlPage({ title, language, content: [...heading, ...children], footer });
}

const imageName = /\.(?:png|jpe?g|gif|webp)$/i;

type Context = {
  labels: PageText['labels'];
  renderFormula: RenderFormula;
  /** The path of a file that the note shows; null for notes, ambiguous names and everything else. */
  find: (link: Parameters<LinkResolver['resolve']>[0]) => string | null;
  /** The images that were drawn. */
  images: ShownImage[];
};

/** Resolves what the parser left to the page: links, images, embedded files, formulas. */
function draw(node: ElementContent, context: Context): ElementContent[] {
  if (node.type !== 'element') return node.type === 'text' ? [node] : [];
  const { tagName, properties } = node;
  const { dataMath, dataWiki, dataEmbed } = properties;
  const children = (): ElementContent[] => node.children.flatMap((child) => draw(child, context));
  if (typeof dataMath === 'string') return [drawFormula(node, dataMath, context)];
  if (tagName === 'img') return [drawImage(node, context)];
  if (typeof dataWiki === 'string' && dataEmbed === true) return drawEmbed(dataWiki, context);
  if (tagName === 'a') return [drawLink(node, children())];
  if (tagName === 'table') return [element('div', { className: ['table'] }, [withoutData(node, children())])];
  return [withoutData(node, children())];
}

function element(tagName: string, properties: Element['properties'], children: ElementContent[]): Element {
  return { type: 'element', tagName, properties, children };
}

/** Attributes that only the web interface needs. */
function withoutData({ tagName, properties }: Element, children: ElementContent[]): Element {
  const kept = Object.entries(properties).filter(
    ([name]) => !name.startsWith('data') || name === 'dataCallout',
  );
  return element(tagName, Object.fromEntries(kept), children);
}

function drawFormula({ tagName, properties }: Element, source: string, context: Context): Element {
  const isApart = tagName === 'div' || properties['dataApart'] === true;
  const drawn =
    context.renderFormula(source, isApart) ?? element('code', {}, [{ type: 'text', value: source }]);
  return element(tagName, { className: isApart ? ['formula', 'apart'] : ['formula'] }, [drawn]);
}

/** Pages of the web and mail addresses can be followed; everything else in the vault is only named by its text. */
function drawLink({ properties }: Element, children: ElementContent[]): Element {
  const { href, id, dataWiki } = properties;
  const named = id === undefined ? {} : { id };
  // Footnotes and headings of this note.
  const hash = typeof dataWiki === 'string' ? dataWiki : href;
  if (typeof hash === 'string' && hash.startsWith('#'))
    return element('a', { ...named, href: localAddress(hash) }, children);
  if (typeof href === 'string' && /^(?:https?:|mailto:)/i.test(href)) {
    const rel = ['noopener', 'noreferrer', 'nofollow'];
    return element('a', { ...named, href, rel, target: '_blank' }, children);
  }
  const isUnlabelled = typeof dataWiki === 'string' && textOf(children) === dataWiki;
  return element('span', named, isUnlabelled ? textNodes(lastName(dataWiki)) : children);
}

function textNodes(value: string): ElementContent[] {
  return [{ type: 'text', value }];
}

function textOf(children: readonly ElementContent[]): string {
  return children.map((child) => (child.type === 'text' ? child.value : '')).join('');
}

/** The name without its folders, which the reader of the page must not learn. */
function lastName(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function localAddress(hash: string): string {
  if (hash.startsWith('#user-content-')) return hash;
  const [, block] = /^#\^([\w-]+)$/.exec(hash) ?? [];
  return `#${block === undefined ? headingId(hash) : blockId(block)}`;
}

/** Remote images are links: loading them would tell others that the note was read. */
function drawImage({ properties }: Element, { find, images, labels }: Context): Element {
  const { src, alt, width, dataWiki } = properties;
  const described = typeof alt === 'string' ? alt : '';
  const label = typeof dataWiki === 'string' ? lastName(described) : described;
  if (typeof src === 'string' && /^https?:/i.test(src)) {
    const rel = ['noopener', 'noreferrer', 'nofollow'];
    const shown = [label, `${labels.remoteImage} ${src}`].filter((each) => each !== '').join(' · ');
    return element('a', { href: src, rel, target: '_blank' }, textNodes(shown));
  }
  const target = typeof src === 'string' ? (parseLinkDestination(src)?.target ?? '') : '';
  const found =
    typeof dataWiki === 'string'
      ? find({ kind: 'wiki', target: wikiTarget(dataWiki) })
      : find({ kind: 'path', target });
  if (found === null || !imageName.test(found)) return element('span', {}, textNodes(label));
  const size = typeof width === 'number' || typeof width === 'string' ? { width } : {};
  const image = element('img', { src: '', alt: label, ...size }, []);
  images.push({ element: image, path: found });
  return image;
}

/** A file that is not a note is named. */
function drawEmbed(name: string, { find }: Context): ElementContent[] {
  const target = wikiTarget(name);
  if (find({ kind: 'wiki', target }) === null) return [];
  return [element('p', {}, textNodes(lastName(target)))];
}

function wikiTarget(name: string): string {
  return parseWikilinks(`[[${name}]]`)[0]?.target ?? '';
}
