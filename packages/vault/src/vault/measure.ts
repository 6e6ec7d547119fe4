import { isUtf8 } from 'node:buffer';
import { parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import { eachChunk } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { findFrontmatter, frontmatterValue, largestFrontmatter } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { startOutline } from './outline.ts';
import { startRevision } from './revision.ts';
import type { Revision } from './revision.ts';
import { wholeCharacters } from './text.ts';

/** What is known of a text once all of it was seen. */
export type Measure = {
  lines: number;
  tokens: number;
  /** From the frontmatter, else the first H1. */
  title: string | null;
  /** From the frontmatter. */
  updated: LocalTime | null;
  revision: Revision;
};

/** Measures a text of any size without holding it; null when it is not text. */
export async function measureSource(source: ByteSource): Promise<Measure | null> {
  const measuring = startMeasure();
  let cut: Buffer = Buffer.alloc(0);
  await eachChunk(source, (chunk, position) => {
    const bytes = cut.length > 0 ? Buffer.concat([cut, chunk]) : chunk;
    const isLast = position + chunk.length >= source.size;
    const whole = isLast ? bytes.length : wholeCharacters(bytes);
    cut = Buffer.from(bytes.subarray(whole));
    return measuring.add(bytes.subarray(0, whole));
  });
  return measuring.finish();
}

export function measureBytes(bytes: Buffer): Measure | null {
  const measuring = startMeasure();
  measuring.add(bytes);
  return measuring.finish();
}

function startMeasure(): { add(bytes: Buffer): boolean; finish(): Measure | null } {
  const revision = startRevision();
  let opening = '';
  let length = 0;
  let newlines = 0;
  let lastByte = 10;
  let isText = true;
  return {
    /** Takes whole characters; false once it is clear that this is not text. */
    add(bytes) {
      isText &&= isUtf8(bytes) && !bytes.includes(0);
      if (!isText) return false;
      revision.add(bytes);
      const text = bytes.toString('utf8');
      if (opening.length < 2 * largestFrontmatter) opening += text;
      length += text.length;
      newlines += countNewlines(bytes);
      lastByte = bytes.at(-1) ?? lastByte;
      return true;
    },
    finish() {
      if (!isText) return null;
      const found = findFrontmatter(opening);
      const yaml = found === null ? '' : opening.slice(found.yamlStart, found.yamlEnd);
      return {
        lines: newlines + (lastByte === 10 ? 0 : 1),
        tokens: Math.ceil((length - (found?.bodyStart ?? 0)) / 4),
        title:
          frontmatterValue(yaml, 'title') ??
          firstHeading(opening.slice(found?.bodyStart ?? 0).replace(/^\ufeff/, '')),
        updated: parseLocalTime(frontmatterValue(yaml, 'updated') ?? ''),
        revision: revision.finish(),
      };
    },
  };
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

const longestTitle = 200;

function firstHeading(body: string): string | null {
  if (!body.includes('#') && !body.includes('=')) return null;
  const outline = startOutline();
  for (const line of splitLines(body.slice(0, 16 * 1024))) {
    const { heading } = outline(line);
    if (heading?.level === 1) return heading.text.slice(0, longestTitle);
  }
  return null;
}
