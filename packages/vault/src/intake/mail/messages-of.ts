/** The messages of a mailbox (mbox), one by one and as they were before they were put into it. */
export function* messagesOf(mailbox: Uint8Array): Generator<Uint8Array, void, undefined> {
  const view = Buffer.from(mailbox.buffer, mailbox.byteOffset, mailbox.byteLength);
  let open: number | null = null;
  for (const { line, message } of postmarks(view)) {
    if (open !== null) yield restore(view.subarray(open, line));
    open = message;
  }
  if (open !== null) yield restore(view.subarray(open));
}

/** Where the line is that stands before a message, and where the message starts. */
type Postmark = { line: number; message: number };

/** `From`, somebody, and when it was put there. Some programs write the first word only. */
const postmark = /^From(?: -)?$|^From (?=.*\d:\d\d)(?=.*\b(?:19|20)\d\d\b)/;
const longestLine = 500;

function* postmarks(view: Buffer): Generator<Postmark, void, undefined> {
  for (let line = 0; line !== -1; line = view.indexOf('\nFrom ', line) + 1 || -1) {
    const end = view.indexOf('\n', line);
    const message = end === -1 ? view.length : end + 1;
    const words = view.toString('latin1', line, Math.min(message, line + longestLine)).trimEnd();
    if (postmark.test(words) && isAfterBlank(view, line)) yield { line, message };
  }
}

function isAfterBlank(view: Buffer, line: number): boolean {
  return line < 2 || /\n\r?\n$/.test(view.toString('latin1', Math.max(0, line - 3), line));
}

/** Without the blank line at its end, and without the `>` that was put before lines which start with `From `. */
function restore(message: Buffer): Uint8Array {
  const [end = ''] = /(?<=\n)\r?\n$/.exec(message.toString('latin1', Math.max(0, message.length - 3))) ?? [];
  const whole = message.subarray(0, message.length - end.length);
  if (!whole.includes('\n>')) return whole;
  return Buffer.from(whole.toString('latin1').replaceAll(/^>(?=>*From )/gm, ''), 'latin1');
}
