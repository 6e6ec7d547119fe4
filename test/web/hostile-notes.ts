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
const labels = [
  `<img src=x onerror=${pay}>`,
  `<img src='https://evil.example/pixel.png'>`,
  `<script>${pay}</script>`,
  `<a href='javascript:${pay}'>x</a>`,
  `<style>@import url(https://evil.example/x.css)</style>`,
  `&lt;img src=x onerror=${pay}&gt;`,
  `#lt;img src=x onerror=${pay}#gt;`,
];
const diagrams = [
  ...labels.map((label) => `flowchart LR\n  A["${label}"] --> B`),
  ...labels
    .slice(0, 2)
    .flatMap((label) => [
      `sequenceDiagram\n  Ann->>Bo: ${label}`,
      `classDiagram\n  class A["${label}"]`,
      `mindmap\n  root((${label}))`,
    ]),
  `flowchart LR\n  A --> B\n  click A href "javascript:${pay}"`,
  `flowchart LR\n  A --> B\n  click A call alert("x")`,
  `flowchart LR\n  A --> B\n  click A "https://evil.example/" _self`,
  `flowchart LR\n  A --> B\n  style A fill:url(https://evil.example/x.svg)`,
  `flowchart LR\n  A:::x --> B\n  classDef x background:url(https://evil.example/x.png)`,
  `flowchart LR\n  A@{ img: "https://evil.example/x.png", label: "x" }`,
  `flowchart LR\n  A@{ "\\u0069mg": "https://evil.example/x.png", label: "x" }`,
  `%%{init: {"securityLevel": "loose", "themeCSS": "*{background:url(https://evil.example/x)}"}}%%\nflowchart LR\n  A["<img src=x onerror=${pay}>"]`,
  `---\nconfig:\n  securityLevel: loose\n  themeCSS: "@import url(https://evil.example/x.css)"\n---\nflowchart LR\n  A --> B`,
  `flowchart LR\n${Array.from({ length: 2_000 }, (_, at) => `  A${at} --> B${at}`).join('\n')}`,
];
const formulas = [
  String.raw`\href{javascript:alert(1)}{x}`,
  String.raw`\url{https://evil.example/}`,
  String.raw`\includegraphics{https://evil.example/x.png}`,
  String.raw`\htmlId{main}{x} \htmlClass{ln}{x} \htmlStyle{color:red}{x} \htmlData{a=b}{x}`,
  String.raw`\text{<img src=x onerror=alert(1)>}`,
  String.raw`\color{red;background:url(https://evil.example/x)}{x}`,
  String.raw`\def\a{\a\a}\a`,
  String.raw`\rule{100000em}{100000em}`,
  `${'{'.repeat(2_000)}x`,
  String.raw`\unicode{<script>alert(1)</script>}`,
];
const around = [
  (text: string): string => text,
  (text: string): string => `# ${text}\n`,
  (text: string): string => `> ${text}\n`,
  (text: string): string => `| a | b |\n| --- | --- |\n| ${text.replaceAll('|', '')} | x |\n`,
  (text: string): string => `---\ntitle: ${text}\n---\n\n# Note\n\n${text}\n`,
];

/** Notes that try to run code, to send requests, or to navigate away. */
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
    ...diagrams.map((diagram) => `\`\`\`mermaid\n${diagram}\n\`\`\`\n`),
    ...formulas.flatMap((formula) => [`So $${formula}$ it is.\n`, `$$\n${formula}\n$$\n`]),
  ];
}
