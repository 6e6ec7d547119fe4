import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMbox } from './parse-mbox.ts';

const postmark = 'From ana@example.org Mon Jul 14 18:30:00 2025\n';

function messagesIn(mailbox: string): string[] {
  return [...parseMbox(Buffer.from(mailbox))].map((message) => Buffer.from(message).toString());
}

describe('mbox messages', () => {
  it('start after a separator that follows a blank line, whichever program wrote it', () => {
    const marks = [
      'From 1837@xxx Mon Jul 14 18:30:00 +0000 2025',
      'From - Mon Jul 14 18:30:00 2025',
      'From ',
      'From "Ana Lopez"@example.org Mon, 14 Jul 2025 18:30:00 +0200',
    ];
    expect(messagesIn(marks.map((mark, index) => `${mark}\nSubject: ${index}\n\nText\n\n`).join(''))).toEqual(
      marks.map((_, index) => `Subject: ${index}\n\nText\n`),
    );
    expect(messagesIn(`${postmark}Subject: 1\r\n\r\nText\r\n\r\n${postmark}Subject: 2\r\n\r\n`)).toEqual([
      'Subject: 1\r\n\r\nText\r\n',
      'Subject: 2\r\n',
    ]);
  });

  it('do not end at a sentence that starts with “From”', () => {
    const text = 'Subject: 1\n\nFrom 9:00 on we are here.\n\nFrom there, go left.\n';
    expect(messagesIn(`${postmark}${text}`)).toEqual([text]);
    expect(messagesIn(`${postmark}Subject: 1\n\nText\n${postmark}`)).toHaveLength(1);
  });

  it('start after a separator without a date if a header follows, and the first separator has none', () => {
    const text = 'Priority: 1\n\nFrom there, go left.\n';
    expect(messagesIn(`From - Thu\n${text}\nFrom - Fri\nFrom: a@example.org\n\nText\n`)).toEqual([
      text,
      'From: a@example.org\n\nText\n',
    ]);
    expect(messagesIn(`${postmark}Subject: 1\n\nFrom - Fri\nSubject: 2\n`)).toHaveLength(1);
    expect(messagesIn('From there, go left.\n\nText\n')).toEqual([]);
  });

  it('are not found in a file without separators', () => {
    expect(messagesIn('')).toEqual([]);
    expect(messagesIn('Subject: 1\n\nText\n')).toEqual([]);
  });

  it('have the escaping of “From” lines removed', () => {
    const line = fc.constantFrom('', 'From a 1:00 2025', '>From b', '>>From', 'Text', '> quoted', 'é');
    const message = fc.array(line).map((lines) => `Subject: x\n\n${lines.join('\n')}\n`);
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const quoted = messages.map((each) => each.replaceAll(/^(?=>*From )/gm, '>'));
        expect(messagesIn(quoted.map((each) => `${postmark}${each}\n`).join(''))).toEqual(messages);
      }),
    );
  });
});
