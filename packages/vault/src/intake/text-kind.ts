import { encodingOf, hasManyControls } from '../vault/index.ts';
import type { Document, DocumentKind, Rejection } from './document.ts';
import { refuse } from './rejection.ts';

const mailHeaders =
  /^(?:from|to|cc|subject|date|received|message-id|mime-version|return-path|delivered-to|reply-to|content-type)$/;
const page = /^(?:<!doctype html|<html|<head|<body)[\s>]/i;
const tag =
  /^<(?:article|blockquote|br|center|div|font|h[1-6]|hr|img|link|main|meta|ol|p|pre|script|section|span|style|table|title|ul)[\s/>]/i;

/** Mail and HTML are detected by how they start and may contain any bytes; other kinds have to be text. */
export function detectTextKind({ name, bytes }: Document): DocumentKind | Rejection | null {
  const { text, isText } = sniffText(bytes);
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  if (/^From \S/.test(text) && countMailHeaders(text.slice(text.indexOf('\n') + 1)) > 0) return 'mailbox';
  if (countMailHeaders(text) >= (ending === 'eml' ? 1 : 3)) return 'email';
  const start = skipProlog(text);
  if (/^<svg[\s>]/i.test(start))
    return refuse('unsupported', 'SVG drawings are not supported; save it as PNG or PDF');
  if (page.test(start)) return 'html';
  if (!isText) return null;
  if (/^BEGIN:VCALENDAR\s/i.test(start)) return 'calendar';
  switch (ending) {
    case 'md':
    case 'markdown':
      return 'markdown';
    case 'csv':
    case 'tsv':
      return 'csv';
    case 'htm':
    case 'html':
    case 'xhtml':
      return start.startsWith('<') ? 'html' : 'text';
    default:
      return tag.test(start) ? 'html' : 'text';
  }
}

/**
 * Returns the first 64 KB as text, and whether the document is text at all: UTF-8, UTF-16 with a byte order mark, or an
 * 8-bit encoding.
 */
function sniffText(bytes: Uint8Array): { text: string; isText: boolean } {
  const head = bytes.subarray(0, 65_536);
  const encoding = encodingOf(bytes);
  const text = decode(encoding, head);
  const isText = encoding.startsWith('utf-16') || (!bytes.includes(0) && !hasManyControls(text));
  return { text, isText };
}

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes).trimStart();
}

/** Counts the mail headers at the start of a text; 0 when it does not start with headers. */
function countMailHeaders(text: string): number {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const [, name] = /^([!-9;-~]+):/.exec(line) ?? [];
    if (name !== undefined) names.add(name.toLowerCase());
    else if (!/^[\t ]+\S/.test(line) || names.size === 0) break;
  }
  return [...names].filter((name) => mailHeaders.test(name)).length;
}

/** Skips everything that may precede the first tag. */
function skipProlog(text: string): string {
  let rest = text;
  for (;;) {
    const [open, close] = rest.startsWith('<!--') ? ['<!--', '-->'] : ['<?xml', '?>'];
    const end = rest.startsWith(open) ? rest.indexOf(close) : -1;
    if (end === -1) return rest;
    rest = rest.slice(end + close.length).trimStart();
  }
}
