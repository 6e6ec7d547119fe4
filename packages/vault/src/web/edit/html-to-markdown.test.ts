import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { hasFormatting } from './paste.ts';

describe('pasted HTML', () => {
  it.each([
    ['<h2>Plan</h2><p>One <b>bold</b> and <i>soft</i> word.</p>', '## Plan\n\nOne **bold** and *soft* word.'],
    ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n    - b\n- c'],
    ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
    ['<pre><code>let a = 1;\n</code></pre>', '```\nlet a = 1;\n```'],
    ['<b style="font-weight:normal"><p>text</p></b>', 'text'],
    ['<p>2 * 3 * 4 and [x] and _y_</p>', '2 \\* 3 \\* 4 and \\[x\\] and \\_y\\_'],
    ['<a href="https://example.org/a(b)">page</a>', '[page](https://example.org/a%28b%29)'],
    [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td><b>3</b></td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1\\|2 | **3** |',
    ],
  ])('becomes markdown: %s', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it.each([
    ['<p>a<script>alert(1)</script><style>p{}</style></p>', 'a'],
    ['<a href="javascript:alert(1)">a</a>', 'a'],
    ['<a href="data:text/html,x">a</a>', 'a'],
    ['<img src="https://tracker.example/p.gif" alt="p">', '[p](https://tracker.example/p.gif)'],
    ['<img src="file:///etc/passwd" alt="p"><img src="https://tracker.example/p.gif">', 'p'],
    ['<p onclick="x()">a &lt;img src=x onerror=alert(1)&gt;</p>', 'a \\<img src=x onerror=alert(1)>'],
  ])('loses everything active: %s', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it('is converted only if it has formatting', () => {
    expect(hasFormatting('<meta charset="utf-8"><div style="color:red"><span>code</span></div>')).toBe(false);
    expect(hasFormatting('<p>a <strong>b</strong></p>')).toBe(true);
  });
});
