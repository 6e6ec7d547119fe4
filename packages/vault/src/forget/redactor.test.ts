import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.ts';

const redactorOf = (...phrases: string[]) =>
  createRedactor({ phrases, contents: [], salt: 'salt', language: 'en' });
const redact = (phrase: string, text: string): string =>
  redactorOf(phrase).redactBytes(Buffer.from(text)).toString();

describe('a redactor', () => {
  it.each([
    ['another letter case', 'The ZEBRAFINCH sings.'],
    ['a decomposed Unicode form', 'Café zebrafinch.'.normalize('NFD')],
    ['a soft hyphen', 'The zebra\u00adfinch sings.'],
    ['full-width letters', 'The ｚｅｂｒａｆｉｎｃｈ sings.'],
  ])('finds words in %s', (_, text) => {
    expect(redactorOf('zebrafinch').matches(text)).toBe(true);
  });

  it('finds composed words in decomposed text and the reverse', () => {
    expect(redactorOf('crème brûlée'.normalize('NFD')).matches('CRÈME BRÛLÉE')).toBe(true);
    expect(redactorOf('crème brûlée').matches('crème brûlée'.normalize('NFD'))).toBe(true);
  });

  it('finds a phrase that is wrapped, quoted or emphasized', () => {
    for (const text of [
      'the blue\nkey',
      '> the blue\n> key',
      '- the blue\n  key',
      'the **blue** key',
      'the%20blue%20key',
    ])
      expect(redactorOf('the blue key').matches(text)).toBe(true);
  });

  it('does not find a word inside another word, except in scripts without spaces', () => {
    expect(redactorOf('Jo').matches('Jones and Major')).toBe(false);
    expect(redactorOf('Jo').matches("Jo's key")).toBe(true);
    expect(redactorOf('東京').matches('私は東京に住む')).toBe(true);
  });

  it('finds text in UTF-16 and in bytes that are not text', () => {
    const redactor = redactorOf('zebrafinch');
    expect(redactor.matchesBytes(Buffer.from('a zebrafinch', 'utf16le'))).toBe(true);
    expect(redactor.matchesBytes(Buffer.from([0, 255, ...Buffer.from('zebrafinch'), 1]))).toBe(true);
  });

  it('removes only the sentence, or the line if nothing else is in it', () => {
    expect(redact('7431', '# Safe\n\nKeep. The code is 7431. Stay.\nCode 7431.\nEnd.\n')).toBe(
      '# Safe\n\nKeep. Stay.\nEnd.\n',
    );
    expect(redact('7431', '- [ ] call 7431\n- [ ] other\n')).toBe('- [ ] other\n');
    expect(redact('7431', '# A\n\nonly 7431\n\n# B\n')).toBe('# A\n\n# B\n');
  });

  it('removes fields, headings and table rows as a whole', () => {
    expect(
      redact(
        '7431',
        '---\ntitle: Safe 7431\ntype: note\n---\n\n## Code 7431. Old\n\n| a. b | 7431 |\n| c | d |\n',
      ),
    ).toBe('---\ntype: note\n---\n\n| c | d |\n');
  });

  it('removes a phrase over several lines with the sentences that it belongs to', () => {
    expect(redact('blue key', 'One. The blue\nkey opens it. Two.\n')).toBe('One.\nTwo.\n');
  });

  it('replaces a changelog entry by a marker', () => {
    const text = '# 2026-11-18\n\n## Safe\n\nThe code is 7431.\n\n## Other\n\nText.\n';
    expect(redact('7431', text)).toBe('# 2026-11-18\n\n## (removed at your request)\n\n## Other\n\nText.\n');
  });

  it('leaves text without the words as it is, byte for byte', () => {
    const bytes = Buffer.from('a \r\n\n\n b\u00a0\n');
    expect(redactorOf('7431').redactBytes(bytes)).toBe(bytes);
  });

  it('gives a name that says nothing about the words, and the same one every time', () => {
    const redactor = redactorOf('zebrafinch');
    const path = redactor.redactPath('vault/bucket/my Zebrafinch.md');
    expect(path).toMatch(/^vault\/bucket\/my removed-[\da-f]{8}\.md$/);
    expect(redactor.redactPath('vault/bucket/my Zebrafinch.md')).toBe(path);
  });

  it('redacts the strings of JSON and never leaves an empty one', () => {
    expect(redactorOf('7431').redactJson({ text: 'Code 7431', list: ['a', 'x 7431. b'], count: 3 })).toEqual({
      text: '(removed at your request)',
      list: ['a', 'b'],
      count: 3,
    });
  });
});
