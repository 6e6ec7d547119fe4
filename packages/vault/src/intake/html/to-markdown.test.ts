import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './to-markdown.ts';

type Node = { type: string; value?: string; children?: Node[] };

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join('');
const asHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

describe('text', () => {
  it('that looks like markup is escaped', () => {
    const signs = [
      ...('ab12 *_`[]()<>&#.-+\\!~|:;/='.match(/./g) ?? []),
      '&amp;',
      '<b>',
      '](',
      '[[',
      '~~',
      '**',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 12 }), (parts) => {
        const text = `x${parts.join('')}x`.replaceAll(/ +/g, ' ');
        const { children } = fromMarkdown(htmlToMarkdown(`<p>${asHtml(text)}</p>`)) as Node;
        expect(children?.map(({ type }) => type)).toEqual(['paragraph']);
        expect(textOf({ type: 'root', children: children ?? [] })).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([['snake_case, 2 * 3, [sic], C:\\dir, Prix*, AT&T'], ['« Bonjour ! » – 3 %'], ['fin']])(
    'is not escaped unnecessarily: %s',
    (text) => {
      expect(htmlToMarkdown(`<p>${asHtml(text)}</p>`)).toBe(text);
    },
  );

  it('loses purely typographic characters', () => {
    expect(htmlToMarkdown('<p>«&nbsp;eﬃcace&nbsp;», ex&shy;cep&shy;tion\u200b</p>')).toBe(
      '« efficace », exception',
    );
  });

  it('keeps a number at the start of a paragraph, escaped where a list would renumber it', () => {
    expect(htmlToMarkdown('<p>1. Objet</p><p>2. Prix</p>')).toBe('1. Objet\n\n2. Prix');
    expect(htmlToMarkdown('<p>1. Objet</p><p>3. Prix</p>')).toBe('1\\. Objet\n\n3\\. Prix');
    expect(htmlToMarkdown('<h2>1. Objet</h2>')).toBe('## 1. Objet');
  });

  it('keeps line breaks, and turns two of them into a paragraph break', () => {
    expect(htmlToMarkdown('<p>a<br>b<br><br>c<br></p>')).toBe('a\\\nb\n\nc');
  });

  it('keeps exponents distinct from the number before them', () => {
    expect(htmlToMarkdown('<p>10<sup>6</sup> m<sup>2</sup>, le 1<sup>er</sup>, H<sub>2</sub>O</p>')).toBe(
      '10⁶ m², le 1er, H2O',
    );
  });
});

describe('a list', () => {
  it('is nested without blank lines', () => {
    const html = '<ul><li><p>a</p><ol start="3"><li>b</li><li>c</li></ol></li><li>d</li><li></li></ul>';
    expect(htmlToMarkdown(html)).toBe('- a\n  3. b\n  4. c\n- d');
  });

  it('may have paragraphs in its items', () => {
    expect(htmlToMarkdown('<ol><li><p>a</p><p>b</p></li><li>c</li></ol>')).toBe('1. a\n\n   b\n\n2. c');
  });

  it('may consist of tasks', () => {
    expect(
      htmlToMarkdown('<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>'),
    ).toBe('- [x] a\n- [ ] b');
  });
});

describe('a table', () => {
  it('repeats a cell that spans rows, and leaves the other columns of a spanning cell empty', () => {
    const html =
      '<table><tr><th colspan="2">a</th><th>b</th></tr><tr><td rowspan="2">c|d</td><td><p>1</p><p>2</p></td><td></td></tr><tr><td>3</td><td>4</td></tr></table>';
    expect(htmlToMarkdown(html)).toBe(
      ['| a | | b |', '| --- | --- | --- |', '| c\\|d | 1; 2 | |', '| c\\|d | 3 | 4 |'].join('\n'),
    );
  });

  it('used for page layout is replaced by the content of its cells', () => {
    const html =
      '<table><tr><td><h2>a</h2></td><td><table><tr><td>b</td></tr></table></td></tr><tr><td>c</td></tr></table>';
    expect(htmlToMarkdown(html)).toBe('## a\n\nb\n\nc');
  });
});

describe('a link', () => {
  it.each([
    ['<a href="https://a.example/x_(y)">x</a>', '[x](https://a.example/x_%28y%29)'],
    ['<a href="https://a.example">https://a.example</a>', '<https://a.example>'],
    ['<a href="mailto:a@b.example">a@b.example</a>', '<a@b.example>'],
    ['<a href="c.html">x</a>', '[x](https://a.example/b/c.html)'],
    ['<a href="javascript:alert(1)">x</a>', 'x'],
    ['<a href="file:///etc/passwd">x</a>', 'x'],
    ['<a href="#top">x</a>', 'x'],
    ['<a href="https://a.example"><h3>x</h3><p>y ]</p></a>', '[x y \\]](https://a.example)'],
    ['<img src="https://a.example/i.png" alt="x">', '[x](https://a.example/i.png)'],
    ['<img src="cid:1" alt="x [y]">', '![x y](stem-1.png)'],
  ])('%s becomes %s', (html, markdown) => {
    const nameImage = (source: string): string | undefined => (source === 'cid:1' ? 'stem-1.png' : undefined);
    expect(htmlToMarkdown(`<div>${html}</div>`, { base: 'https://a.example/b/', nameImage })).toBe(markdown);
  });
});

describe('code', () => {
  it('is fenced, and keeps its language and whitespace', () => {
    expect(htmlToMarkdown('<pre><code class="language-js">if (a) {<br>  b;\n\n\n```\n}</code></pre>')).toBe(
      '````js\nif (a) {\n  b;\n\n\n```\n}\n````',
    );
  });
});
