/*
 * Plugins of editors draw code blocks and inline code themselves, and load what these name. Editors disagree on where a block begins and
 * ends, so each line that can open a block is taken to open one.
 */

/**
 * Finds addresses that a plugin would load: in blocks whose language is not one of programs or data, in scripts, and in themes of
 * diagrams. Reads each character a bounded number of times.
 */
export function findPluginResources(text: string): string[] {
  return [
    ...findBlocks(text).flatMap(findInBlock),
    ...findInlineQueries(text),
    ...findJoinedFields(text),
    ...findTemplateCommands(text),
  ];
}

type Block = { language: string; body: string };

/** Behind the marks of quotes and lists. Only a block that begins with tildes may have backticks behind its language. */
const fence = /^[ \t>*+\d.)-]{0,200}?(`{3,}(?=[^\n`]*$)|~{3,})[ \t]*([^\s`~]{0,100})[^\n]*$/gm;

function findBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { marks: string; language: string; start: number } | null = null;
  for (const { 0: line, 1: marks = '', 2: info = '', index } of text.matchAll(fence)) {
    const closes: boolean = open !== null && info === '' && marks.startsWith(open.marks);
    if (open !== null && (closes || info !== ''))
      blocks.push({ language: open.language, body: text.slice(open.start, index) });
    if (info !== '') open = { marks, language: languageOf(info), start: index + line.length };
    else if (closes) open = null;
  }
  if (open !== null) blocks.push({ language: open.language, body: text.slice(open.start) });
  return blocks;
}

/** `js` for `js`, `{.js}`, `{js}` and `JS:title`. */
function languageOf(info: string): string {
  return (/[\w+#-]+/.exec(info)?.[0] ?? info).toLowerCase();
}

function findInBlock({ language, body }: Block): string[] {
  // Their text is markdown, in which images are found wherever they are.
  if (codeLanguages.has(language) || language.startsWith('ad-')) return [];
  if (scriptLanguages.has(language)) return [`${language}: ${body}`];
  if (language === 'mermaid') {
    const hasTheme = /themeCSS/i.test(body) && /\\|url\(/i.test(body);
    return hasTheme || /@import/i.test(body) ? [`${language}: ${body}`] : findShapeImages(body);
  }
  return findAddresses(body);
}

function findAddresses(text: string): string[] {
  const plain = text.replaceAll('\\/', '/');
  return [...plain.matchAll(address), ...plain.matchAll(escapedLetter)].map(([found]) => found);
}

/** Mermaid reads `@{ … }` as YAML, so the key of an image can be quoted or escaped. */
function findShapeImages(chart: string): string[] {
  const start = chart.indexOf('@{');
  const shapes = start === -1 ? '' : chart.slice(start);
  return /\bimg\b|\\[xu]/i.test(shapes) ? findAddresses(shapes.replaceAll(/["']:/g, '$& ')) : [];
}

const address =
  /(?:\b(?!obsidian:)[a-z][a-z0-9+.-]{1,20}:|(?<=[\s"'(=]))(?:\/\/|\\\\)[\w[][^\s"'<>]{1,4000}/gi;
/** A letter of an address that is written by its number. */
const escapedLetter = /\\(?:x[\da-f]{2}|u\{?[\da-f]{2,6}|U[\da-f]{8})[^\n]{0,200}/g;

/** Dataview evaluates inline code that begins with `=` or, as a script, with `$=`; a query can put an image together from parts. */
const inlineQuery = /(?<!`)`{1,2}\s{0,10}(\$?)=([^`\n]{1,4000})/g;

function findInlineQueries(text: string): string[] {
  return [...text.matchAll(inlineQuery)].flatMap(([query, script, expression = '']) => {
    const strings = /["'][^]*/.exec(expression)?.[0] ?? '';
    return script !== '' || /[![\]<>/:]/.test(strings) || /\bembed\(/.test(expression) ? [query] : [];
  });
}

/** A query can put an image together from fields (`name:: value`), one of which contains the first sign of an image or a tag. */
function findJoinedFields(text: string): string[] {
  const queries = [...text.matchAll(inlineQuery)].flatMap(([query, , expression = '']) =>
    /\bthis\b|\[\[/.test(expression) && /[+(]/.test(expression) ? [query] : [],
  );
  if (queries.length === 0) return [];
  const fields = text.split('\n').filter((line) => {
    const start = line.indexOf('::');
    return start !== -1 && /[!<]/.test(line.slice(start));
  });
  const isFromOtherNote = queries.some((query) => query.includes('[['));
  return fields.length > 0 || isFromOtherNote ? [[...queries, ...fields].join('\n')] : [];
}

/** Templater runs `<% … %>` as a script. Tags that begin with `<%=` and similar belong to other template languages. */
function findTemplateCommands(text: string): string[] {
  // Without an end mark, each start mark would be compared with the rest of the text.
  const closed = text.slice(0, text.lastIndexOf('%>') + 2);
  return [...closed.matchAll(/<%[^]*?%>/g)].flatMap(([command]) =>
    /^<%(?:[=#@!%]|--)/.test(command) ? [] : [command],
  );
}

/** Languages of blocks that a plugin runs as a script, which can load anything. */
const scriptLanguages = new Set(
  'dataviewjs datacorejs datacorejsx datacorets datacoretsx js-engine meta-bind-js-view customjs templater'.split(
    ' ',
  ),
);

/** Languages of programs, data and plain text, which editors only color. */
const codeLanguages = new Set(
  `abap actionscript ada apache apl applescript arduino asm assembly astro awk bash bat batch bibtex c c# c++ caddyfile clj clojure
  cmake cmd cobol coffee coffeescript conf config console cpp crystal cs csh csharp cson css csv cuda cypher d dart delphi desktop
  diff docker docker-compose dockerfile dotenv elisp elixir elm env erb erlang ex f# fish fortran fsharp gherkin git gitignore glsl go
  golang gradle graphql groovy h handlebars haskell haxe hbs hcl hjson hpp hs htaccess html http hy idris ini irc java javascript
  jinja jinja2 jl js json json5 jsonc jsonl jsonnet jsx jsonld julia jupyter just justfile kotlin kql ksh kt latex less lisp liquid
  llvm log logs logql lua make makefile markdown marko matlab md mdx mjs ml mojo mts nasm ndjson nginx nim nix nu nushell objc
  objective-c objectivec ocaml odin openscad output pascal patch perl php pl plain plaintext plsql po postgres postgresql powershell
  prisma prolog promql properties proto protobuf ps1 pug puppet py python python3 pycon ql r racket rb reason regex rego rest ron
  rs rst ruby rust sas sass scala scheme scm scss sed sh shell shellscript shellsession smalltalk smarty sol solidity sparql sql sqlite
  ssh-config stata stylus svelte swift systemd tcl terminal terraform tex text tf toml tree ts tsql tsv tsx turtle twig txt
  typescript v vb vba vbnet verilog vhdl vim viml vue wasm wat wgsl wiki xml xsl yaml yml zig zsh`.split(
    /\s+/,
  ),
);
