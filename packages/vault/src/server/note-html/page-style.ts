/** The style of a note outside of the web interface, with the colors and sizes of `web/styles/`. */
export const pageStyle = `
:root { color-scheme: light dark; --page: light-dark(#faf9f6, #161614); --ink: light-dark(#1f1e1b, #ebe9e3);
  --soft: light-dark(#5c5850, #b0aca2); --line: light-dark(#e2dfd7, #33332f); --sunken: light-dark(#f2f0eb, #11110f);
  --accent: light-dark(#2f5d50, #8fcab5); --accent-soft: light-dark(#e3eeea, #1f332c); --mark: light-dark(#fdf3cf, #3b3414);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'Liberation Mono', monospace; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem; max-width: 46rem; background: var(--page); color: var(--ink);
  font: 1rem/1.6 'Source Sans 3', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { margin: 1.75rem 0 0.375rem; line-height: 1.3; font-weight: 600; text-wrap: balance; }
h1 { font-size: 1.625rem; } h2 { font-size: 1.25rem; } h3, h4, h5, h6 { font-size: 1rem; }
article > :first-child { margin-top: 0; }
p, ul, ol, dl, blockquote, pre, figure, details, .table, .callout, .formula.apart { margin: 0.75rem 0 0; }
ul, ol { padding-left: 1.5rem; } li > ul, li > ol { margin-top: 0; }
li:has(> input:first-child, > p > input:first-child) { list-style: none; } li > input, li > p > input { margin: 0 0.375rem 0 -1.25rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
img { max-width: 100%; height: auto; border-radius: 0.25rem; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
code { padding: 0.1em 0.3em; border-radius: 0.25rem; background: var(--sunken); }
pre { padding: 0.75rem 1rem; overflow: auto; border-radius: 0.5rem; background: var(--sunken); line-height: 1.5; }
pre code { padding: 0; background: none; font-size: inherit; }
blockquote { margin-left: 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.table { overflow-x: auto; } table { border-collapse: collapse; }
th, td { padding: 0.375rem 0.625rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--sunken); font-weight: 600; }
[align='right'] { text-align: right; } [align='center'] { text-align: center; }
hr { margin: 1.5rem 0; border: 0; border-top: 1px solid var(--line); }
mark { background: var(--mark); color: inherit; }
.callout { padding: 0.75rem 1rem; border-left: 3px solid var(--accent); border-radius: 0.25rem; background: var(--accent-soft); }
.callout-title { margin: 0; font-weight: 600; } .callout > p:first-child { margin-top: 0; }
.chips { display: inline-flex; flex-wrap: wrap; gap: 0.375rem; }
.chip { padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 999px; font-size: 0.8125rem; } .chip b { margin-right: 0.375rem; font-weight: 400; color: var(--soft); }
.formula.apart { display: block; overflow-x: auto; text-align: center; }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
footer { margin-top: 3rem; padding-top: 0.75rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.8125rem; }
@media print { body { padding: 0; max-width: none; } pre { white-space: pre-wrap; } }
`;
