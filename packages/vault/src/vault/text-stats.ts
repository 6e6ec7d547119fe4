import { isUtf8 } from 'node:buffer';
import { parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import { forEachChunk } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { findFrontmatter, getFrontmatterValue, maxFrontmatterCharacters } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { createOutlineParser } from './outline.ts';
import { createRevisionHash } from './revision.ts';
import type { Revision } from './revision.ts';
import { completeUtf8Length } from './decode-text.ts';

/** Statistics of a whole text. */
export type TextStats = {
  lines: number;
  tokens: number;
  /** From the frontmatter, or else the first H1. */
  title: string | null;
  /** From the frontmatter. */
  updated: LocalTime | null;
  revision: Revision;
};

/** Computes the statistics of a text of any size in chunks; null when it is not text. */
export async function computeTextStatsOf(source: ByteSource): Promise<TextStats | null> {
  const measuring = createTextStats();
  let cut: Buffer = Buffer.alloc(0);
  await forEachChunk(source, (chunk, position) => {
    const bytes = cut.length > 0 ? Buffer.concat([cut, chunk]) : chunk;
    const isLast = position + chunk.length >= source.size;
    const whole = isLast ? bytes.length : completeUtf8Length(bytes);
    cut = Buffer.from(bytes.subarray(whole));
    return measuring.add(bytes.subarray(0, whole));
  });
  return measuring.finish();
}

export function computeTextStats(bytes: Buffer): TextStats | null {
  const measuring = createTextStats();
  measuring.add(bytes);
  return measuring.finish();
}

function createTextStats(): { add(bytes: Buffer): boolean; finish(): TextStats | null } {
  const revision = createRevisionHash();
  let opening = '';
  let length = 0;
  let newlines = 0;
  let lastByte = 10;
  let isText = true;
  return {
    /** Adds complete characters; returns false once the data turns out not to be text. */
    add(bytes) {
      isText &&= isUtf8(bytes) && !bytes.includes(0);
      if (!isText) return false;
      revision.add(bytes);
      const text = bytes.toString('utf8');
      if (opening.length < 2 * maxFrontmatterCharacters) opening += text;
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
          getFrontmatterValue(yaml, 'title') ??
          firstHeading(opening.slice(found?.bodyStart ?? 0).replace(/^\ufeff/, '')),
        updated: parseLocalTime(getFrontmatterValue(yaml, 'updated') ?? ''),
        revision: revision.finish(),
      };
    },
  };
}

/** The number of lines that `splitLines` returns for this text. */
export function countLines(bytes: Buffer): number {
  return countNewlines(bytes) + (bytes.length === 0 || bytes.at(-1) === 10 ? 0 : 1);
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

const maxTitleCharacters = 200;

function firstHeading(body: string): string | null {
  if (!body.includes('#') && !body.includes('=')) return null;
  const outline = createOutlineParser();
  for (const line of splitLines(body.slice(0, 16 * 1024))) {
    const { heading } = outline(line);
    if (heading?.level === 1) return heading.text.slice(0, maxTitleCharacters);
  }
  return null;
}
