import type { getDocumentProxy } from 'unpdf';
import { toSingleLine } from '../markdown/clean-text.ts';
import { firstHeading, meaningfulTitle } from '../markdown/title.ts';
import type { Metadata } from '../document.ts';

/** Reads the properties of the document. The first heading replaces a missing title. */
export async function readPdfProperties(
  pdf: Awaited<ReturnType<typeof getDocumentProxy>>,
  markdown: string,
): Promise<Pick<Metadata, 'title' | 'author' | 'date'>> {
  const { info, metadata } = await pdf.getMetadata();
  const facts = info as Record<string, unknown>;
  const read = (key: string, name: string): string => {
    const value = facts[key] ?? (metadata as { get?: (name: string) => unknown } | null)?.get?.(name);
    return toSingleLine(Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '');
  };
  const title = meaningfulTitle(read('Title', 'dc:title')) ?? firstHeading(markdown);
  const author = read('Author', 'dc:creator');
  const date = dateOf(read('CreationDate', 'xmp:createdate'));
  return { ...(title && { title }), ...(author && { author }), ...(date && { date }) };
}

/** Parses `D:20250714183000+02'00'` or `2025-07-14T18:30:00+02:00`, and keeps the local time of the author. */
function dateOf(text: string): string | undefined {
  const [, year, month = '01', day = '01', hour, minute, second = '00'] =
    /^(?:D:)?(\d{4})-?(\d\d)?-?(\d\d)?(?:T?(\d\d):?(\d\d):?(\d\d)?)?/.exec(text) ?? [];
  if (year === undefined || Number(month) > 12 || Number(day) > 31) return undefined;
  const date = `${year}-${month}-${day}`;
  return hour === undefined || minute === undefined ? date : `${date}T${hour}:${minute}:${second}`;
}
