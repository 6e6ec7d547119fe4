import { expect } from 'vitest';
import { contains } from './contains.ts';
import { overLimits } from './document.ts';
import type { HostileDocument } from './document.ts';

const page = (body: string, head = ''): Buffer =>
  Buffer.from(`<!doctype html><html><head><title>Page</title>${head}</head><body>${body}</body></html>`);
const text =
  '<article><h1>Title</h1><p>The text of this page is here, and it is long enough to be one.</p></article>';

export const hostileHtml: HostileDocument[] = [
  {
    what: 'a page with a million nested elements',
    name: 'deep.html',
    make: () => page('<div>'.repeat(1_000_000) + text),
    ends: overLimits,
  },
  {
    what: 'a page with 5000 nested lists',
    name: 'lists.html',
    make: () => page(`${'<ul><li>'.repeat(5000)}deep${'</li></ul>'.repeat(5000)}${text}`),
    ends: overLimits,
  },
  {
    what: 'a page of 50 MB',
    name: 'long.html',
    make: () => page('<p>words and words</p>'.repeat(2_300_000)),
    ends: 'too-large',
  },
  {
    what: 'a page of 17 MB of paragraphs',
    name: 'paragraphs.html',
    make: () => page('<p>words and words</p>'.repeat(800_000)),
    ends: overLimits,
  },
  {
    what: 'a page with nothing but a script',
    name: 'script.html',
    make: (trap) => page(`<script>for (;;) fetch('${trap}')</script>`),
    ends: 'empty',
  },
  {
    what: 'a page that loads network resources in every possible way',
    name: 'remote.html',
    make: (trap) =>
      page(
        `${text}<img src="${trap}/1.png" srcset="${trap}/2.png 2x"><iframe src="${trap}/3"></iframe>
<object data="${trap}/4"></object><embed src="${trap}/5"><video src="${trap}/6" poster="${trap}/7"></video>
<script src="${trap}/8.js"></script><svg><image href="${trap}/9"/><use href="${trap}/10#x"/></svg>
<p style="background:url(${trap}/11)">styled</p><body onload="fetch('${trap}/12')">`,
        `<base href="${trap}/"><link rel="stylesheet" href="${trap}/13.css"><link rel="preload" href="${trap}/14" as="image">
<style>@import "${trap}/15.css";</style><meta http-equiv="refresh" content="0;url=${trap}/16">`,
      ),
    ends: 'converted',
    check: (taken) => {
      contains('The text of this page')(taken);
      expect(JSON.stringify(taken.outcome)).not.toContain('onload');
    },
  },
  {
    what: 'a page that claims to be from a site whose content would have to be downloaded',
    name: 'youtube.html',
    make: (trap) =>
      page(
        text,
        `<link rel="canonical" href="https://www.youtube.com/watch?v=x"><meta property="og:url" content="${trap}">`,
      ),
    ends: 'converted',
  },
  {
    what: 'a page with custom exponential entities',
    name: 'laughs.html',
    make: () =>
      Buffer.from(
        `<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">]>
<html><body>${text}${'&c;'.repeat(1000)}${'&amp;lt;'.repeat(10_000)}</body></html>`,
      ),
    ends: 'converted',
  },
  {
    what: 'a page with a comment that never closes',
    name: 'comment.html',
    make: () => page(`${text}<!-- ${'-- >'.repeat(500_000)}`),
    ends: 'converted',
    check: contains('The text of this page'),
  },
  {
    what: 'a page with NUL bytes in text and tags',
    name: 'nul.html',
    make: () => page(text.replace('text', 'te\0xt').replace('<p>', '<p\0>')),
    ends: 'converted',
    check: (taken) => expect(JSON.stringify(taken.outcome)).not.toContain('\\u0000'),
  },
  {
    what: 'a page whose attributes never end',
    name: 'attributes.html',
    make: () => page(`${text}<a ${'a='.repeat(1_000_000)}"><img alt="${'!['.repeat(500_000)}" src=x>`),
    ends: 'converted',
  },
  {
    what: 'a page of characters that markdown has to escape',
    name: 'signs.html',
    make: () =>
      page(`<article><p>${'*_`[]()<>#-+!|~\\'.replaceAll('<', '&lt;').repeat(3_000)}</p></article>`),
    ends: 'converted',
  },
  {
    what: 'a page of spaces',
    name: 'spaces.html',
    make: () => page(`${text}<p>a${' '.repeat(500_000)}b</p><pre>${' \n'.repeat(100_000)}</pre>`),
    ends: 'converted',
  },
  {
    what: 'a page with a picture of 10 MB in it',
    name: 'data.html',
    make: () => page(`${text}<img alt="big" src="data:image/png;base64,${'A'.repeat(13_000_000)}">`),
    ends: 'converted',
    check: ({ outcome }) => expect(outcome.kind === 'converted' && outcome.images).toEqual([]),
  },
  {
    what: 'a page with 1000 tiny pictures in it',
    name: 'pictures.html',
    make: () =>
      page(
        text +
          '<p><img alt="dot" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="></p>'.repeat(
            1000,
          ),
      ),
    ends: 'converted',
    check: ({ outcome }) =>
      expect(outcome.kind === 'converted' && outcome.images.length).toBeLessThanOrEqual(40),
  },
  {
    what: 'a page whose table has cells that span a billion columns',
    name: 'table.html',
    make: () =>
      page(
        `${text}<table>${'<tr><td colspan=1000000000 rowspan=1000000000>cell</td></tr>'.repeat(100)}</table>`,
      ),
    ends: 'converted',
  },
  {
    what: 'a page that would run scripts from its links',
    name: 'links.html',
    make: () =>
      page(`<article>${'<p>Enough words to be taken as an article of some length.</p>'.repeat(5)}
<p><a href="javascript:alert(1)">one</a> <a href=" jAvAsCrIpT:alert(2)">two</a>
<a href="data:text/html,<script>alert(3)</script>">three</a> <a href="vbscript:x">four</a></p></article>`),
    ends: 'converted',
    check: ({ outcome }) =>
      expect(outcome.kind === 'converted' && outcome.markdown).not.toMatch(
        /javascript:|vbscript:|data:text/i,
      ),
  },
];
