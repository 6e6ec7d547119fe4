/** Expected results per selector in the rendered note: the number of elements, or the text of the first. */
type Expected = Record<string, number | string>;
type CorpusNote = [name: string, text: string, expected: Expected];

const fence = '```';

/** Files that the notes of the corpus link to and embed. */
export const corpusFiles = {
  'corpus/other.md':
    '# Other\n\nIntro of the other.\n\n## The plan\n\nStep one. ^step\n\n### Detail\n\nDeep.\n\n## Later\n\nNot yet.\n',
  'corpus/loop.md': 'Loop begins.\n\n![[loop]]\n\n![[round]]\n',
  'corpus/round.md': 'Round.\n\n![[loop]]\n',
  'corpus/red.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** Notes as written in Obsidian and on GitHub: name, text and expected elements. */
export const corpus: CorpusNote[] = [
  [
    'callout',
    '> [!note] Read this\n> Body of it.',
    {
      '.callout[data-callout=note]': 1,
      'p.callout-title': 'Read this',
      '.callout > p:not(.callout-title)': 'Body of it.',
      blockquote: 0,
    },
  ],
  ['callout without a title', '> [!tip]\n> Body.', { 'p.callout-title': 'Tip', '.callout > p + p': 'Body.' }],
  [
    'callout folded',
    '> [!faq]- Why?\n> Because.',
    { 'details.callout:not([open])': 1, 'summary.callout-title': 'Why?' },
  ],
  ['callout open', '> [!example]+ See\n> - one\n> - two', { 'details.callout[open] li': 2 }],
  [
    'callout within a callout',
    '> [!question] Outer\n> > [!todo] Inner\n> > Deep.',
    { '.callout .callout': 1, '.callout .callout p + p': 'Deep.' },
  ],
  [
    'alert',
    '> [!WARNING]\n> Mind the gap.',
    { '.callout[data-callout=warning]': 1, 'p.callout-title': 'Warning' },
  ],
  [
    'callout with marks',
    '> [!note] **Bold** and `code`\n> [a](other.md)',
    { '.callout-title strong': 'Bold', '.callout-title code': 'code', '.callout p + p a:not(.ln)': 'a' },
  ],
  ['quote', '> Only a quote [!note]', { blockquote: 1, '.callout': 0 }],
  [
    'embedded note',
    '![[other]]',
    { '.embed': 1, '.embed h2': 'Other', '.embed figcaption a': 'other', '.embed .ln': 0 },
  ],
  [
    'embedded section',
    '![[other#The plan]]',
    { '.embed h3': 'The plan', '.embed h4': 'Detail', '.embed h2': 0 },
  ],
  ['embedded paragraph', '![[other#^step]]', { '.embed p': 'Step one.', '.embed h3': 0 }],
  ['embedded section that is gone', '![[other#Nothing]]', { '.embed h3': 0, '.embed > p': 1 }],
  ['embedded note within words', 'See ![[other]] there.', { '.embed': 0, 'p a:not(.ln)': 'other' }],
  ['notes that embed each other', '![[loop]]', { '.embed': 2, '.embed .embed p': 'Round.' }],
  ['embedded note that is gone', '![[nowhere]]', { '.embed': 0, 'a.missing': 'nowhere' }],
  ['embedded picture', '![[red.png]]', { 'img[alt="red.png"]': 1 }],
  ['embedded picture with a size', '![[red.png|120x80]]', { 'img[width="120"]': 1 }],
  ['embedded document', '![[report.pdf]]', { 'a.missing': 'report.pdf', '.embed': 0 }],
  ['two embeds', '![[other#Later]]\n![[other#^step]]', { '.embed': 2 }],
  [
    'footnotes',
    'A[^1] and B[^long].\n\n[^1]: First.\n[^long]: Second\n    goes on.',
    { 'sup a': 2, 'section li': 2, 'section h2': 'Footnotes' },
  ],
  [
    'footnote used twice',
    'A[^1] B[^1]\n\n[^1]: Once.',
    { 'sup a': 2, 'section li': 1, 'section li a:not(.ln)': 2 },
  ],
  ['math within a line', 'So $e^{i\\pi} = -1$ holds.', { '.formula math': 1, '.formula.apart': 0 }],
  ['math apart', '$$\n\\int_0^1 x^2 \\, dx\n$$', { '.formula.apart math[display=block]': 1 }],
  ['math apart on one line', '$$a_1 + b_2$$', { '.formula.apart math': 1 }],
  ['math of GitHub', `${fence}math\n\\frac{a}{b}\n${fence}`, { '.formula.apart mfrac': 1, pre: 0 }],
  ['math with underscores and stars', '$a_1 * b_2 * c_3$', { msub: 3, em: 0 }],
  ['money', 'It costs $5 and $10.', { math: 0, p: 'It costs $5 and $10.' }],
  ['math in a table', '| a | b |\n| - | - |\n| $x^2$ | 1 |', { 'td math': 1 }],
  ['math that is wrong', '$\\frac{a}{$', { '.formula': 1 }],
  [
    'mermaid flowchart',
    `${fence}mermaid\nflowchart LR\n  A[One] --> B{Two}\n${fence}`,
    { '.diagram svg': 1, '.diagram svg .node': 2, 'details.source': 1 },
  ],
  [
    'mermaid sequence',
    `${fence}mermaid\nsequenceDiagram\n  Ann->>Bo: Hello\n  Bo-->>Ann: Hi\n${fence}`,
    { '.diagram svg': 1, '.diagram .messageText': 2 },
  ],
  [
    'mermaid pie',
    `${fence}mermaid\npie title Pets\n  "Dogs" : 3\n  "Cats" : 1\n${fence}`,
    { '.diagram svg': 1 },
  ],
  [
    'mermaid gantt',
    `${fence}mermaid\ngantt\n  dateFormat YYYY-MM-DD\n  section A\n  One :a1, 2026-01-01, 3d\n${fence}`,
    { '.diagram svg': 1 },
  ],
  [
    'mermaid that is wrong',
    `${fence}mermaid\nflowchart LR\n  A[[[\n${fence}`,
    { '.diagram svg': 0, 'pre[data-language=mermaid]': 1 },
  ],
  [
    'code with colours',
    `${fence}ts\nconst a: number = 1; // one\n${fence}`,
    { 'pre[data-language=ts]': 1, '.tok-keyword': 'const', '.tok-comment': '// one', 'pre .ln': 1 },
  ],
  [
    'code in python',
    `${fence}python\ndef f(x):\n    return "x"\n${fence}`,
    { '.tok-string': '"x"', 'pre .ln': 2 },
  ],
  ['code of an unknown language', `${fence}nothing\nabc\n${fence}`, { 'pre code': 'abc' }],
  ['indented code', 'Text\n\n    plain code\n', { 'pre code': 'plain code' }],
  [
    'table',
    '| left | right |\n| :-- | --: |\n| a | b<br>c |',
    { th: 2, td: 2, 'td br': 1, '[role=group] table': 1 },
  ],
  ['table with a wikilink', '| a |\n| - |\n| [[other\\|shown]] |', { 'td a:not(.ln)': 'shown' }],
  ['tasks', '- [ ] open\n- [x] done', { 'input[type=checkbox]': 2, 'input:checked': 1, 'input:disabled': 0 }],
  [
    'nested tasks',
    '- [ ] outer\n  - [x] inner\n    - [ ] deep\n- plain',
    { 'li li li input': 1, 'li:not(.task-list-item)': 1 },
  ],
  ['numbered tasks', '1. [x] first\n2. [ ] second', { 'ol input': 2 }],
  [
    'wikilinks',
    '[[other]] [[other|alias]] [[other#The plan]] [[#Here]] [[gone]]\n\n# Here',
    { 'p a:not(.ln)': 5, 'a.missing': 'gone' },
  ],
  ['wikilink with a path', '[[corpus/other]] [[/corpus/other|root]]', { 'a.missing': 0, 'p a:not(.ln)': 2 }],
  ['tags', 'About #project/x and #idée, not #12 or a#b or `#code`.', { 'a.tag': 2 }],
  ['tags of the frontmatter', '---\ntags: [one, two]\n---\n\nText', { 'table a.tag': 2 }],
  [
    'stamps',
    '---\ncreated: 2026-01-01T10:00:00\nupdated: 2026-01-02T10:00:00\ntokens: 12\n---\n\nText',
    { table: 0, p: 'Text' },
  ],
  ['highlight', 'This ==is marked== here.', { mark: 'is marked' }],
  [
    'details',
    '<details>\n<summary>More</summary>\n\nHidden **text**.\n\n</details>',
    { 'details summary': 'More', 'details strong': 'text' },
  ],
  [
    'details within words',
    '<details open><summary>S</summary>plain</details>',
    { 'details[open] summary': 'S' },
  ],
  [
    'comments',
    'Before %%not seen%% after.\n\n%%\nneither\nof these\n%%\n\nEnd.',
    { p: 'Before  after.', 'p + p': 'End.' },
  ],
  [
    'comments of HTML',
    'A <!-- b --> c\n\n<!-- keepsake:status -->\nStatus\n<!-- /keepsake:status -->',
    { p: 'A  c', 'p + p': 'Status' },
  ],
  [
    'comment signs in code',
    '`100%%` and\n\n```\n%% kept %%\n```',
    { 'p code': '100%%', 'pre code': '%% kept %%' },
  ],
  [
    'tags of HTML',
    'H<sub>2</sub>O, x<sup>2</sup>, <kbd>Ctrl</kbd>, <mark>m</mark>, line<br>break',
    { sub: '2', sup: '2', kbd: 'Ctrl', mark: 'm', br: 1 },
  ],
  [
    'unknown tags',
    'Run `a <b>` with <path> and <x-y z="1">.',
    { p: 'Run a <b> with <path> and <x-y z="1">.' },
  ],
  [
    'block of HTML',
    '<p align="center">\n  <img src="red.png" width="50">\n  <b>Title</b>\n</p>',
    { 'p[align=center] img[width="50"]': 1, 'p b': 'Title' },
  ],
  [
    'right to left',
    '# שלום עולם\n\nمرحبا بالعالم\n\n- פריט\n\nEnglish',
    { 'h1[dir=auto]': 1, 'p[dir=auto]': 2, 'li[dir=auto]': 1 },
  ],
  ['emphasis and strikes', '**b** _i_ ~~s~~ ***bi*** `c`', { strong: 2, em: 2, del: 's', code: 'c' }],
  ['headings of the same name', '# A\n\n## A\n\n[two](#a-1)', { '#heading-a': 'A', '#heading-a-1': 'A' }],
  ['named paragraph', 'A claim. ^claim\n\n[[#^claim]]', { '#block-claim': 'A claim.' }],
  [
    'very long',
    Array.from({ length: 1_500 }, (_, index) => `## Part ${index}\n\nText ${index}.\n`).join('\n'),
    { h2: 'Part 0', '.chunk': 90 },
  ],
];
