import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { hashBlob } from '../changes/index.ts';
import type { ForgetPassage } from '../contract/index.ts';
import type { Language } from '../vault/index.ts';
import { describeEdits } from './describe-edits.ts';
import { createByteMatcher } from './match-bytes.ts';
import { createPhraseMatcher } from './match-phrases.ts';
import { removePhrases } from './remove-phrases.ts';
import type { RedactionRules } from './rules.ts';
import { expandToSentences } from './sentences.ts';
import { applyEdits } from './text-edits.ts';
import type { TextEdit } from './text-edits.ts';

/** Returns the passages with the words in a stored value or the content of a file; none if it is not text. */
export type DescribeText = (value: string | Buffer) => ForgetPassage[];

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
  /** The sentences that redacting changes in a stored value or the content of a file. */
  describe: DescribeText;
  /** The sentences, lines and tasks around the phrases. */
  findSentences(value: string | Buffer): string[];
  /** Replaces the phrases in each name of a path. */
  redactPath(path: string): string;
  /** Redacts a stored value: a path by its names, or other text. The result is never empty. */
  redactValue(text: string): string;
  /** Redacts all strings of a JSON value, including the names of fields. */
  redactJson(value: unknown): unknown;
};

const markers: Record<Language, string> = {
  en: '(removed at your request)',
  fr: '(supprimé à votre demande)',
};

/** The salt differs between a plan and what carries it out, so a passage shows `…` in place of this part of a new name. */
const unknownId = 'x'.repeat(8);

/** `named` are the words that the user asked to forget, if the rules also contain the sentences around them. */
export function createRedactor(rules: RedactionRules, named: readonly string[] = rules.phrases): Redactor {
  const matcher = createPhraseMatcher(rules.phrases);
  const namedMatcher = createPhraseMatcher(named);
  // What replaces the phrases must not contain them.
  const marker = matcher.test(markers[rules.language]) ? '(…)' : markers[rules.language];
  const namePrefix = matcher.test('removed') ? '' : 'removed-';
  const contents = new Set(rules.contents);
  const isForgottenContent = (bytes: Uint8Array): boolean =>
    contents.size > 0 && contents.has(hashBlob(Buffer.from(bytes)));
  const matchesOnce = createByteMatcher(rules.phrases, matcher);
  const redactName = (name: string, createId: (stem: string) => string): string => {
    // Without the extension, which links can leave out.
    const id = createId(name.replace(/\.[^.]*$/, ''));
    let redacted = name;
    for (let [span] = matcher.find(redacted); span !== undefined; [span] = matcher.find(redacted))
      redacted = `${redacted.slice(0, span.start)}${namePrefix}${id}${redacted.slice(span.end)}`;
    return redacted;
  };
  const createRenaming = (createId: (stem: string) => string) => (path: string) =>
    path
      .split('/')
      .map((name) => redactName(name, createId))
      .join('/');
  const redactPath = createRenaming((stem) =>
    createHash('sha256').update(`${rules.salt} ${stem}`).digest('hex').slice(0, 8),
  );
  const renameForDisplay = createRenaming(() => unknownId);
  const findEdits = (text: string, renamePath = redactPath): TextEdit[] =>
    removePhrases(text, {
      matcher,
      marker,
      renamePath,
      expand: (whole, spans) =>
        rules.isBySentence ? expandToSentences(whole, spans, { withBlocks: false }) : [...spans],
    });
  const redactText = (text: string): string =>
    matcher.test(text) ? applyEdits(text, findEdits(text)) : text;
  /** The text of a stored value; null if it is not text, a path, or removed as a whole. */
  const textOf = (value: string | Buffer): string | null => {
    if (typeof value === 'string') return isPath(value) ? null : value;
    const encoding = isForgottenContent(value) ? null : encodingOf(value);
    return encoding === null ? null : value.toString(encoding);
  };
  const describe = (value: string | Buffer): ForgetPassage[] => {
    const text = textOf(value);
    if (text === null || !matcher.test(text)) return [];
    const edits = findEdits(text, renameForDisplay).map((edit) => ({
      ...edit,
      insert: edit.insert.replaceAll(namePrefix + unknownId, `${namePrefix}…`),
    }));
    return describeEdits(text, edits, { named: namedMatcher.find(text), marker });
  };
  const findSentences = (value: string | Buffer): string[] => {
    const text = textOf(value) ?? '';
    const found = expandToSentences(text, matcher.find(text), { withBlocks: true });
    return found.map(({ start, end }) => text.slice(start, end).trim());
  };
  const redactBytes = (bytes: Buffer): Buffer => {
    if (isForgottenContent(bytes)) return Buffer.from(`${marker}\n`);
    const encoding = encodingOf(bytes);
    if (encoding !== null) {
      const text = bytes.toString(encoding);
      const redacted = redactText(text);
      return redacted === text ? bytes : Buffer.from(redacted, encoding);
    }
    return matchesOnce(bytes) ? Buffer.from(`${marker}\n`) : bytes;
  };
  const redactValue = (text: string): string => {
    if (!matcher.test(text)) return text;
    if (isPath(text)) return redactPath(text);
    const redacted = redactText(text);
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
      isForgottenContent(bytes) || matchesOnce(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    removesContent: isForgottenContent,
    redactBytes,
    describe,
    findSentences,
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
