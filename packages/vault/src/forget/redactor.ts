import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { hashBlob } from '../changes/index.ts';
import type { Language } from '../vault/index.ts';
import { createPhraseMatcher } from './match-phrases.ts';
import { redactText } from './redact-text.ts';

/** Everything that decides what is removed and what replaces it. The same rules always give the same result. */
export type RedactionRules = {
  phrases: string[];
  /** Blob ids of contents that are removed as a whole. */
  contents: string[];
  /** Makes the new names of files unique, so that they say nothing about the old ones. */
  salt: string;
  language: Language;
};

export type Redactor = {
  rules: RedactionRules;
  marker: string;
  matches(text: string): boolean;
  /** Also finds text in UTF-16, and contents that are removed as a whole. */
  matchesBytes(bytes: Uint8Array): boolean;
  /** Whether exactly these bytes are removed as a whole. */
  removesContent(bytes: Uint8Array): boolean;
  /** Bytes that are not text are replaced by the marker. */
  redactBytes(bytes: Buffer): Buffer;
  /** Replaces the phrases in each name of a path. */
  redactPath(path: string): string;
  /** Redacts a stored value: a path by its names, other text by its sentences. The result is never empty. */
  redactValue(text: string): string;
  /** Redacts all strings of a JSON value, including the names of fields. */
  redactJson(value: unknown): unknown;
};

const markers: Record<Language, string> = {
  en: '(removed at your request)',
  fr: '(supprimé à votre demande)',
};

/** Longer contents are searched in pieces that overlap. */
const pieceLength = 16_777_216;
const overlapLength = 65_536;

export function createRedactor(rules: RedactionRules): Redactor {
  const matcher = createPhraseMatcher(rules.phrases);
  const marker = markers[rules.language];
  const contents = new Set(rules.contents);
  const isForgottenContent = (bytes: Uint8Array): boolean =>
    contents.size > 0 && contents.has(hashBlob(Buffer.from(bytes)));
  /** Only characters that are not ASCII differ between UTF-8 and Latin-1. */
  const hasAccents = rules.phrases.some((phrase) => /[^\0-\u007f]/.test(phrase));
  const matchesDecoded = (bytes: Buffer): boolean => {
    for (let from = 0; from < bytes.length; from += pieceLength - overlapLength) {
      const piece = bytes.subarray(from, from + pieceLength);
      if (matcher.test(piece.toString('utf8'))) return true;
      if (piece.includes(0) && matcher.test(extractUtf16(piece))) return true;
      if (hasAccents && !isUtf8(piece) && matcher.test(piece.toString('latin1'))) return true;
    }
    return false;
  };
  const redactBytes = (bytes: Buffer): Buffer => {
    if (isForgottenContent(bytes)) return Buffer.from(`${marker}\n`);
    const encoding = encodingOf(bytes);
    if (encoding !== null) {
      const text = bytes.toString(encoding);
      const redacted = redactText(text, matcher, marker);
      return redacted === text ? bytes : Buffer.from(redacted, encoding);
    }
    return matchesDecoded(bytes) ? Buffer.from(`${marker}\n`) : bytes;
  };
  const redactName = (name: string): string => {
    const id = createHash('sha256').update(`${rules.salt} ${name}`).digest('hex').slice(0, 8);
    let redacted = name;
    for (let [span] = matcher.find(redacted); span !== undefined; [span] = matcher.find(redacted))
      redacted = `${redacted.slice(0, span.start)}removed-${id}${redacted.slice(span.end)}`;
    return redacted;
  };
  const redactPath = (path: string): string => path.split('/').map(redactName).join('/');
  const redactValue = (text: string): string => {
    if (!matcher.test(text)) return text;
    if (isPath(text)) return redactPath(text);
    const redacted = redactText(text, matcher, marker);
    return redacted.trim() === '' ? marker : redacted;
  };
  const redactJson = (value: unknown): unknown => {
    if (typeof value === 'string') return redactValue(value);
    if (Array.isArray(value)) return value.map(redactJson);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [redactValue(name), redactJson(each)]),
    );
  };
  return {
    rules,
    marker,
    matches: (text) => matcher.test(text),
    matchesBytes: (bytes) =>
      isForgottenContent(bytes) ||
      matchesDecoded(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    removesContent: isForgottenContent,
    redactBytes,
    redactPath,
    redactValue,
    redactJson,
  };
}

/** Null for bytes that are not text. */
function encodingOf(bytes: Buffer): 'utf8' | 'utf16le' | 'latin1' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  if (bytes.includes(0)) return null;
  return isUtf8(bytes) ? 'utf8' : 'latin1';
}

/** Paths and identifiers have no sentences. */
function isPath(text: string): boolean {
  return !/\s/.test(text) || text.startsWith('vault/') || /^[^\n]+\/[^\n/]+\.\w{1,8}$/.test(text);
}

/**
 * The text in UTF-16 among other bytes, one run per paragraph. A file that starts with a byte order mark is text as a whole;
 * elsewhere only runs of Latin letters are recognized, because any bytes could be characters of some script.
 */
function extractUtf16(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  const runs = bytes.toString('latin1').match(/(?:[\t\n\r\x20-\x7e\xa0-\xff]\0){2,}/g) ?? [];
  return runs.map((run) => run.replaceAll('\0', '')).join('\n\n');
}
