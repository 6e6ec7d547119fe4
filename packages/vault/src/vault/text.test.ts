import { describe, expect, it } from 'vitest';
import { decodeInput, textProblem } from './text.ts';

const words = 'caf\u00e9 cr\u00e8me \u2013 br\u00fbl\u00e9e\r\n';

describe('bytes from outside', () => {
  it('are taken as they are when they are UTF-8, with their byte order mark', () => {
    const text = `\ufeff${words}\u{1f375}\ufffd\u001b[0m`;
    expect(decodeInput(Buffer.from(text))).toEqual({ kind: 'text', text, note: null });
    expect(decodeInput(Buffer.alloc(0))).toEqual({ kind: 'text', text: '', note: null });
  });

  it('are read as Windows-1252 when they are not UTF-8, with a note', () => {
    const bytes = Buffer.from(words.replace('\u2013', '\u0096'), 'latin1');
    expect(decodeInput(bytes)).toEqual({
      kind: 'text',
      text: words,
      note: 'it is not UTF-8 and was read as Windows-1252; check the accents',
    });
  });

  it('are converted from UTF-16 where they carry its mark, with a note', () => {
    const little = Buffer.from(`\ufeff${words}`, 'utf16le');
    const expected = { kind: 'text', text: words, note: expect.stringContaining('UTF-16') };
    expect(decodeInput(little)).toEqual(expected);
    expect(decodeInput(Buffer.from(little).swap16())).toEqual(expected);
  });

  it.each([
    ['a program', Buffer.from('7f454c46020101000000fffe8081', 'hex'), 'binary data'],
    ['control characters', Buffer.from('80010203040506071011', 'hex'), 'text that is not UTF-8'],
    ['an image', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'a PNG image'],
    ['half a character of UTF-16', Buffer.from('fffe6100d8', 'hex'), 'UTF-16 text'],
    ['UTF-16 without a mark', Buffer.from('a\0\xe9\0', 'latin1'), 'binary data'],
  ])('are refused when they are no text: %s', (_, bytes, what) => {
    expect(decodeInput(bytes)).toEqual({ kind: 'not-text', what });
  });
});

describe('a text', () => {
  it('can be stored unless UTF-8 would change it or it would be no text', () => {
    expect(textProblem(`\ufeff${words}\u{1f375}\ufffd`)).toBeNull();
    expect(textProblem('a\ud800b')).toContain('surrogate');
    expect(textProblem('a\0b')).toContain('NUL');
  });
});
