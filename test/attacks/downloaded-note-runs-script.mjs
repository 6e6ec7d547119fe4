// A note downloaded as HTML runs no script and loads nothing, whatever it contains, also in the description of an image that is left out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { api, broken, failed, held, newVault, openLink, printedLink, serve, vault } from './lib/world.mjs';

const run = '<img src=x onerror=alert(1)>';
const note = String.raw`---
title: "</title><script>alert(1)</script><style>"
tags: ["${run}"]
---

<script>alert(1)</script>
${run}
<svg onload=alert(1)><script>alert(2)</script></svg>
<a href="javascript:alert(1)">x</a> [x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](data:text/html;base64,PHNjcmlwdD4=) [v](vbscript:x)
<iframe srcdoc="<script>alert(1)</script>"></iframe> <object data=x></object> <embed src=x>
<meta http-equiv=refresh content="0;url=https://evil.example"> <base href="https://evil.example/"> <link rel=stylesheet href=https://evil.example/x.css>
<form action=https://evil.example><input name=a><button formaction=javascript:alert(1)>x</button></form>
<style>@import url(https://evil.example/x.css); body{background:url(https://evil.example/b)}</style>
<div style="background:url(https://evil.example/c)" onclick=alert(1) id=location name=cookie>x</div>
<math><mtext><table><mglyph><style>${run}</style></mglyph></table></mtext></math>
<noscript><p title="</noscript>${run}"></noscript>
<video src=https://evil.example/v poster=https://evil.example/p></video><audio src=https://evil.example/a></audio><picture><source srcset=https://evil.example/s></picture>

$\href{javascript:alert(1)}{x}$ $\includegraphics{https://evil.example/k.png}$ $\htmlStyle{background:url(https://evil.example)}{x}$ $\unicode{${run}}$
$$\text{</annotation></semantics></math>${run}}$$ $\htmlData{onclick=alert(1)}{x}$

![x](https://evil.example/pixel.png) ![[https://evil.example/pixel.png]] <https://evil.example>

> [!note" onclick="alert(1)] title ${run}
> body

[^1]: ${run}

text[^1] [[x|${run}]] ![[drawing.svg]] ![[page.png]] ![[small.png|${run}]] ![a"onerror="alert(1)](small.png "t\" onload=\"alert(1)")
![${run}<script>alert(1)</script>](large.png) ![a"onerror="alert(1)](large.png) ![[large.png|${run}]]

| ${run} | b |
|---|---|
| $\href{javascript:alert(1)}{x}$ | <script>1</script> |

- [ ] ${run}

# ${run}
`;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
await newVault({
  'bucket/bad.md': note,
  'bucket/drawing.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
  'bucket/page.png': '<html><script>alert(1)</script></html>',
});
writeFileSync(join(vault, 'bucket/small.png'), png);
// More than a download may contain.
writeFileSync(join(vault, 'bucket/large.png'), Buffer.concat([png, Buffer.alloc(10_000_100)]));
const service = await serve();
const cookie = await openLink(service, printedLink(service));
const response = await fetch(`${service.url}${api}/export/note?path=vault/bucket/bad.md`, {
  headers: { cookie, 'sec-fetch-site': 'same-origin' },
});
const file = await response.text();
if (response.status !== 200) failed(`the note is answered with ${response.status} ${file.slice(0, 200)}`);
const [head, body] = file.split('<body>');
if (!body.includes('data:image/png')) failed('the file contains no image');

const problems = [];
if (!/<meta http-equiv="content-security-policy" content="default-src (?:'|&#x27;)none/.test(head))
  problems.push('the file has no policy');
if (/<script|<style>.*<style>/s.test(head)) problems.push('the head has a script or a second style');
// Whole tags with their attributes: the values of attributes may contain other tags.
const tags = /<([a-z][\w-]*)((?:\s+[^\s=>"']+(?:="[^"]*"|='[^']*'|=[^\s>]*)?)*)\s*\/?>/gi;
for (const [tag, name, attributes] of body.matchAll(tags)) {
  const bare = attributes.replaceAll(/"[^"]*"|'[^']*'/g, '""');
  if (
    /^(?:script|style|meta|iframe|object|embed|base|link|form|button|video|audio|source|svg|foreignobject)$/i.test(
      name,
    ) ||
    /\s(?:on\w+|style)=/i.test(bare) ||
    /\s(?:href|xlink:href)=["']?\s*(?:javascript|vbscript|data):/i.test(attributes) ||
    /\ssrc(?:set)?=(?!"data:image\/png;)/i.test(attributes)
  )
    problems.push(tag.slice(0, 90));
}
if (problems.length > 0) broken([...new Set(problems)].slice(0, 5).join('; '));
held();
