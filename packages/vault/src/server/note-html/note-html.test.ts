import { expect, it } from 'vitest';
import { hostileNotes } from '../../../../../test/web/hostile-notes.ts';
import { sampleOf } from '../../../../../test/sample-of.ts';
import { renderNoteHtml } from './note-html.ts';
import { createNoteRenderer } from './render-in-worker.ts';

const request = {
  path: 'a/note.md',
  files: ['a/x.png'],
  salt: 'salt',
  labels: { footnotes: 'Footnotes', callouts: {}, remoteImage: 'Remote image:' },
};

it('contains no scripts, handlers, styles, forms or resources of other sites, whatever the note is', async () => {
  const notes = sampleOf(hostileNotes(), 6);
  expect(notes.length).toBeGreaterThan(20);
  for (const text of notes) {
    const { html } = await renderNoteHtml({ ...request, text });
    // In attributes and text, `<` is escaped, so each remaining one starts a tag.
    for (const [tag = ''] of html.matchAll(/<[^>]*>/g)) {
      const isForbidden =
        /^<\/?(?:script|iframe|object|embed|link|style|meta|base|form|button|video|audio|svg|template|noscript|body|picture|source)\b/i.test(
          tag,
        ) ||
        /\s(?:on\w+|style|srcset|action|formaction|background|poster)=/i.test(
          tag.replaceAll(/"[^"]*"/g, '""'),
        ) ||
        /(?:href|src)="(?!f\/[0-9a-f]{32}"|https?:|mailto:|#)/i.test(tag) ||
        /^<img\b.*\bsrc="(?!f\/)/i.test(tag);
      expect([tag, isForbidden]).toEqual([tag, false]);
    }
  }
});

it('renders in a thread, and gives up after the time limit', async () => {
  const rendered = await createNoteRenderer(120_000)({ ...request, text: '# A\n\n![[x.png]]\n' });
  expect(rendered).toMatchObject({ title: 'A', files: [[expect.any(String), 'a/x.png']] });
  expect(await createNoteRenderer(0)({ ...request, text: '# A\n' })).toBeNull();
});

it('draws formulas with their colors, and shows the source of one that is invalid', async () => {
  const text = 'A $\\color{red}a^2$ and $\\frac{1}$.\n';
  const { html } = await renderNoteHtml({ ...request, text });
  expect(html).toContain('<mstyle mathcolor="red"><msup><mi>a</mi><mn>2</mn></msup></mstyle>');
  expect(html).toContain('<code>\\frac{1}</code>');
});
