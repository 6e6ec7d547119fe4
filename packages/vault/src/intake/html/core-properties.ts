import { DOMParser } from 'linkedom';
import { toSingleLine } from '../markdown/clean-text.ts';
import { firstHeading, meaningfulTitle } from '../markdown/title.ts';
import type { Metadata } from '../document.ts';

/** Reads title, author and date of an Office document. The first heading replaces a missing title. */
export function readCoreProperties(
  xml: Uint8Array | undefined,
  markdown: string,
): Pick<Metadata, 'title' | 'author' | 'date'> {
  const text = xml === undefined ? '' : new TextDecoder().decode(xml);
  const document = new DOMParser().parseFromString(text || '<none/>', 'text/xml');
  const read = (name: string): string =>
    toSingleLine(document.getElementsByTagName(name)[0]?.textContent ?? '');
  const title = meaningfulTitle(read('dc:title')) ?? firstHeading(markdown);
  const author = read('dc:creator');
  const [date] =
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?/.exec(read('dcterms:created') || read('dcterms:modified')) ?? [];
  return { ...(title && { title }), ...(author && { author }), ...(date && { date }) };
}
