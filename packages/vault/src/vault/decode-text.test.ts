import { describe, expect, it } from 'vitest';
import { decodeInput, textProblem } from './decode-text.ts';

const words = 'caf\u00e9 cr\u00e8me \u2013 br\u00fbl\u00e9e\r\n';

describe('decodeInput', () => {
  it('returns UTF-8 unchanged, including the byte order mark', () => {
    const text = `\ufeff${words}\u{1f375}\ufffd\u001b[0m`;
    expect(decodeInput(Buffer.from(text))).toEqual({ kind: 'text', text, note: null });
    expect(decodeInput(Buffer.alloc(0))).toEqual({ kind: 'text', text: '', note: null });
  });

  it('decodes other bytes as Windows-1252 with a note', () => {
    const bytes = Buffer.from(words.replace('\u2013', '\u0096'), 'latin1');
    expect(decodeInput(bytes)).toEqual({
      kind: 'text',
      text: words,
      note: 'it is not UTF-8 and was read as Windows-1252; check the accents',
    });
  });

  it('converts UTF-16 with a byte order mark and adds a note', () => {
    const little = Buffer.from(`\ufeff${words}`, 'utf16le');
    const expected = { kind: 'text', text: words, note: expect.stringContaining('UTF-16') };
    expect(decodeInput(little)).toEqual(expected);
    expect(decodeInput(Buffer.from(little).swap16())).toEqual(expected);
  });

  it.each([
    ['a program', Buffer.from('7f454c46020101000000fffe8081', 'hex'), 'binary data'],
    ['control characters', Buffer.from('80010203040506071011', 'hex'), 'text that is not UTF-8'],
    ['an image', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'a PNG image'],
    ['incomplete UTF-16', Buffer.from('fffe6100d8', 'hex'), 'UTF-16 text'],
    ['UTF-16 without a byte order mark', Buffer.from('a\0\xe9\0', 'latin1'), 'binary data'],
  ])('rejects data that is not text: %s', (_, bytes, description) => {
    expect(decodeInput(bytes)).toEqual({ kind: 'not-text', description });
  });
});

describe('textProblem', () => {
  it('accepts text that round-trips through UTF-8 and contains no NUL', () => {
    expect(textProblem(`\ufeff${words}\u{1f375}\ufffd`)).toBeNull();
    expect(textProblem('a\ud800b')).toContain('surrogate');
    expect(textProblem('a\0b')).toContain('NUL');
  });
});
