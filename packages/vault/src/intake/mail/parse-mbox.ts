/** Yields the messages of an mbox file, unescaped. */
export function* parseMbox(mailbox: Uint8Array): Generator<Uint8Array, void, undefined> {
  const view = Buffer.from(mailbox.buffer, mailbox.byteOffset, mailbox.byteLength);
  let open: number | null = null;
  for (const { line, message } of postmarks(view)) {
    if (open !== null) yield unescapeMessage(view.subarray(open, line));
    open = message;
  }
  if (open !== null) yield unescapeMessage(view.subarray(open));
}

/** The offset of the separator line before a message, and the offset of the message. */
type MboxSeparator = { line: number; message: number };

/** `From`, a sender and a date. Some programs write only the first word. */
const postmark = /^From(?: -)?$|^From (?=.*\d:\d\d)(?=.*\b(?:19|20)\d\d\b)/;
const maxSeparatorCharacters = 500;
/** In a mailbox whose first separator has no such date, a header must follow each separator: any header the first, a common one the others. */
const anyHeader = /^[!-9;-~]+:/;
const commonHeader = /^(?:From|To|Cc|Subject|Date|Received|Return-Path|Message-ID|MIME-Version|X-[\w-]+):/i;

function* postmarks(view: Buffer): Generator<MboxSeparator, void, undefined> {
  const first = view.toString('latin1', 0, maxSeparatorCharacters).split('\n', 1)[0]?.trimEnd() ?? '';
  const isLenient = first.startsWith('From ') && !postmark.test(first);
  for (let line = 0; line !== -1; line = view.indexOf('\nFrom ', line) + 1 || -1) {
    const end = view.indexOf('\n', line);
    const message = end === -1 ? view.length : end + 1;
    const words = view.toString('latin1', line, Math.min(message, line + maxSeparatorCharacters)).trimEnd();
    const isSeparator =
      postmark.test(words) || (isLenient && words.startsWith('From ') && isHeader(view, { line, message }));
    if (isSeparator && followsBlankLine(view, line)) yield { line, message };
  }
}

function isHeader(view: Buffer, { line, message }: MboxSeparator): boolean {
  const header = line === 0 ? anyHeader : commonHeader;
  return header.test(view.toString('latin1', message, message + maxSeparatorCharacters));
}

function followsBlankLine(view: Buffer, line: number): boolean {
  return line < 2 || /\n\r?\n$/.test(view.toString('latin1', Math.max(0, line - 3), line));
}

/** Removes the blank line at the end and the `>` that escapes lines which start with `From `. */
function unescapeMessage(message: Buffer): Uint8Array {
  const [end = ''] = /(?<=\n)\r?\n$/.exec(message.toString('latin1', Math.max(0, message.length - 3))) ?? [];
  const whole = message.subarray(0, message.length - end.length);
  if (!whole.includes('\n>')) return whole;
  return Buffer.from(whole.toString('latin1').replaceAll(/^>(?=>*From )/gm, ''), 'latin1');
}
