import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSameContent, splitNote, withBody, withProperties } from './note-parts.ts';

const stamps = 'created: 2026-01-02T03:04:05\nupdated: 2026-01-02T03:04:05\ntokens: 3\n';

describe('a note in the editor', () => {
  it('is split into stamps, properties and body', () => {
    const note = `---\ntags: [a]\n${stamps}status: open\n---\n\n# Note\n`;
    expect(splitNote('n.md', note)).toEqual({
      head: `---\ntags: [a]\n${stamps}status: open\n---\n\n`,
      stamps,
      properties: 'tags: [a]\nstatus: open\n',
      body: '# Note\n',
    });
  });

  it.each([
    ['no frontmatter', 'one\n---\ntwo\n', 'one\n---\ntwo\n'],
    ['an unclosed frontmatter', '---\ntags: a\n', '---\ntags: a\n'],
    ['Windows line endings', '---\r\ntokens: 1\r\n---\r\n\r\none\r\n', 'one\r\n'],
    ['a byte order mark', '\uFEFF---\ntokens: 1\n---\none', 'one'],
    ['nothing below its frontmatter', '---\ntokens: 1\n---', ''],
    ['a rule below its frontmatter', '---\ntokens: 1\n---\n---\na: b\n---\n', '---\na: b\n---\n'],
  ])('with %s is split at the right line', (_, text, body) =>
    expect(splitNote('n.md', text).body).toBe(body),
  );

  it('consists only of a body if the file is not markdown', () => {
    expect(splitNote('a.yaml', '---\ntokens: 1\n---\n').body).toBe('---\ntokens: 1\n---\n');
  });

  it('has its body on a new line', () => {
    expect(withBody({ head: '---\ntokens: 1\n---' }, 'one')).toBe('---\ntokens: 1\n---\none');
  });

  it.each([
    [`---\na: 1\n${stamps}---\none`, 'b: 2', `---\n${stamps}b: 2\n---\n\n`],
    [`---\na: 1\n${stamps}---\none`, 'a: 1\n', `---\na: 1\n${stamps}---\n`],
    ['one', 'b: 2\n', '---\nb: 2\n---\n\n'],
    ['---\na: 1\n---\none', '', ''],
    ['---\r\na: 1\r\n---\r\none\r\n', 'a: 1\nb: 2', '---\r\na: 1\r\nb: 2\r\n---\r\n\r\n'],
  ])('%j with the properties %j has the head %j', (text, properties, head) =>
    expect(withProperties(splitNote('n.md', text), properties)).toBe(head),
  );

  it('is compared without its stamps and the empty line below them', () => {
    expect(hasSameContent('n.md', 'one\n', `---\n${stamps}---\n\none\n`)).toBe(true);
    expect(hasSameContent('n.md', 'one\n', `---\n${stamps}a: 1\n---\n\none\n`)).toBe(false);
    expect(hasSameContent('n.md', 'one\n', `---\n${stamps}---\n\ntwo\n`)).toBe(false);
  });
});

describe('splitNote', () => {
  it('returns parts that join to the same note, byte for byte', () => {
    const line = fc.constantFrom(
      '---',
      '--- ',
      'a: b',
      'tokens: 3',
      '',
      'updated: 2026-01-02T03:04:05',
      'x\r',
      '\uFEFF',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 9 }), (lines) => {
        const text = lines.join('\n');
        const parts = splitNote('n.md', text);
        expect(withBody(parts, parts.body)).toBe(text);
        expect(withProperties(parts, parts.properties)).toBe(parts.head);
      }),
    );
  });
});
