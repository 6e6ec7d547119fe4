const pay = 'window.pwned=1;alert(1)';

const tags = [
  `<script>${pay}</script>`,
  `<script src="https://evil.example/x.js"></script>`,
  `<img src=x onerror="${pay}">`,
  `<img src="https://evil.example/pixel.png">`,
  `<svg onload="${pay}"></svg>`,
  `<svg><script>${pay}</script></svg>`,
  `<iframe src="https://evil.example/"></iframe>`,
  `<iframe srcdoc="<script>parent.${pay}</script>"></iframe>`,
  `<object data="https://evil.example/x.swf"></object>`,
  `<embed src="https://evil.example/x">`,
  `<link rel="stylesheet" href="https://evil.example/x.css">`,
  `<style>@import url(https://evil.example/x.css);</style>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<base href="https://evil.example/">`,
  `<form action="https://evil.example/"><button>go</button></form>`,
  `<video src="https://evil.example/v.mp4" autoplay onloadstart="${pay}"></video>`,
  `<audio src="https://evil.example/a.mp3" autoplay></audio>`,
  `<details open ontoggle="${pay}">x</details>`,
  `<body onload="${pay}">`,
  `<input autofocus onfocus="${pay}">`,
  `<math><mtext><script>${pay}</script></mtext></math>`,
  `<div style="background:url(https://evil.example/b.png)">x</div>`,
  `<a href="javascript:${pay}">x</a>`,
  `<template><script>${pay}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${pay}>">`,
];
const urls = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript&#58;alert(1)',
  '&#106;avascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  '//evil.example/x',
  'https://evil.example/pixel.png',
  'http://127.0.0.1:1/pixel.png',
  '\\\\evil.example\\x',
  '/open?code=x',
  '../../../../etc/passwd',
];
const around = [
  (text: string): string => text,
  (text: string): string => `# ${text}\n`,
  (text: string): string => `> ${text}\n`,
  (text: string): string => `| a | b |\n| --- | --- |\n| ${text.replaceAll('|', '')} | x |\n`,
  (text: string): string => `---\ntitle: ${text}\n---\n\n# Note\n\n${text}\n`,
];

/** Notes that try to run something, to fetch something, or to lead the page elsewhere. */
export function hostileNotes(): string[] {
  const links = urls.flatMap((url) => [
    `[x](${url})`,
    `![x](${url})`,
    `[x]: ${url}\n\n[x] and ![x]`,
    `[[${url}]] and [[${url}|shown]]`,
  ]);
  const odd = [
    `# Task\nstatus: <img src=x onerror=${pay}> | prio: high\n`,
    `# Task\nstatus: to-do | prio: javascript:alert(1)\n`,
    `\`\`\`html\n<script>${pay}</script>\n\`\`\`\n`,
    `\`\`\`mermaid\ngraph TD; A["<img src=x onerror=${pay}>"]\n\`\`\`\n`,
    `<!-- <script>${pay}</script> -->\n`,
    `[^1]\n\n[^1]: <script>${pay}</script>\n`,
    `https://evil.example/auto and www.evil.example\n`,
    `<https://evil.example/auto>\n`,
    `---\n!!js/function: "${pay}"\na: &a [*a, *a]\n---\n\nx\n`,
    `${'['.repeat(2_000)}x\n`,
    `${'> '.repeat(300)}x\n`,
    `${'*'.repeat(3_000)}x\n`,
  ];
  return [
    ...tags.flatMap((tag) => around.map((put) => `${put(tag)}\n`)),
    ...links.map((link) => `${link}\n`),
    ...odd,
  ];
}
