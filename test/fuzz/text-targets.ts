import {
  createLinkResolver,
  parseLinks,
  parseLocalTime,
  parseLinkDestination,
  rewriteLinks,
  parseWikilinks,
} from '../../packages/vault/src/contract/index.ts';
import type { LocalTime } from '../../packages/vault/src/contract/index.ts';
import { parseResourceUri, formatResourceUri } from '../../packages/vault/src/server/mcp/resource-uri.ts';
import {
  renderBlock,
  extractBody,
  parseChangelog,
  findFrontmatter,
  getFrontmatterValue,
  formatNumberedLines,
  parseBlocks,
  parseVaultPath,
  pathSegments,
  portableProblem,
  formatInput,
  formatPath,
  splitLines,
  applyStamps,
} from '../../packages/vault/src/vault/index.ts';
import { estimateTokens } from '../../packages/vault/src/vault/frontmatter.ts';
import { createOutlineParser } from '../../packages/vault/src/vault/outline.ts';
import { nameProblem } from '../../packages/vault/src/vault/path.ts';
import { must } from './target.ts';
import type { Target } from './target.ts';

// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/;

/** Turns invalid UTF-8 into lone surrogates, which strings may contain but files may not. */
function textOf(input: Buffer): string {
  return input.toString('utf8').replaceAll('\ufffd', '\ud800');
}

export const paths: Target = {
  full: 400_000,
  maxBytes: 6_000,
  words: [
    'vault/',
    '/',
    '//',
    './',
    '../',
    '..',
    '.',
    '\\',
    '\\n',
    '\\u{202e}',
    '\\u{',
    '}',
    '\\u{110000}',
    '\\u{d800}',
    ':',
    '*',
    'CON',
    '.md',
    '%2e%2e',
    ' ',
    '~',
    '#',
    '?',
    '%',
    'é',
    'e\u0301',
    '&amp;',
    '(lines 1-2)',
    '&#10;',
  ],
  open: () => ({
    run(input) {
      const text = textOf(input);
      must(!control.test(formatInput(text)), 'an input is shown on one line, whatever it is');
      const parsed = parseVaultPath(text);
      if (!parsed.ok) {
        must(parsed.reason !== '' && !control.test(parsed.reason), 'a rejected path has a one-line reason');
        return;
      }
      const { path } = parsed;
      must(path === 'vault' || path.startsWith('vault/'), 'a path is inside the vault');
      must(path.normalize('NFC') === path && path.isWellFormed(), 'a path is NFC');
      must(
        pathSegments(path).every((part) => part !== '' && nameProblem(part) === null),
        'every part of a path is a name',
      );
      const shown = formatPath(path);
      must(!control.test(shown), 'a path is shown on one line');
      const again = parseVaultPath(shown);
      must(again.ok && again.path === path, 'a path that is shown leads to the same path');
      const uri = parseResourceUri(new URL(formatResourceUri(path)));
      must(path === 'vault' || (uri.ok && uri.path === path), 'the URI of a path leads to the same path');
      portableProblem(path);
    },
  }),
};

const [oneTime, otherTime] = ['2025-07-14T18:30:00', '2031-01-02T03:04:05'].map(parseLocalTime) as [
  LocalTime,
  LocalTime,
];
/** Matches a stamp, or a line that continues the value of one. */
const hasStamp = /^[ \t]|^$|created|updated|tokens/;

export const frontmatter: Target = {
  full: 30_000,
  maxBytes: 4_000,
  words: [
    '---\n',
    '---\r\n',
    '---',
    '--- \n',
    'created: ',
    'updated: ',
    'tokens: ',
    '"updated": ',
    "'",
    '"',
    '&a ',
    '*a',
    '!!str ',
    '!!js/function ',
    '? ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '|\n',
    '>\n',
    ': ',
    ' #',
    '\t',
    '<<: ',
    '\ufeff',
    '2025-07-14T18:30:00',
    '%YAML 1.1\n',
    '...\n',
    '__proto__: ',
  ],
  open: () => ({
    run(input) {
      const text = input.toString('utf8');
      const stamped = applyStamps(text, oneTime);
      must(applyStamps(stamped, oneTime) === stamped, 'stamping twice changes nothing more');
      must(
        applyStamps(applyStamps(text, otherTime), oneTime) === stamped || createdIn(text) === null,
        'a stamp leaves nothing behind',
      );
      if (stamped === text) return;
      const found = findFrontmatter(text);
      if (found === null) {
        must(
          stamped.endsWith(text.replace(/^\ufeff/, '')),
          'a text that gets a frontmatter stays as it is below it',
        );
        return;
      }
      must(extractBody(stamped) === extractBody(text), 'stamps change nothing below the frontmatter');
      const others = (whole: string): string =>
        splitLines(whole)
          .filter((line) => !hasStamp.test(line))
          .join('\n');
      must(others(stamped) === others(text), 'stamps change no other line');
      must(
        getFrontmatterValue(stamped.slice(0, findFrontmatter(stamped)?.yamlEnd), 'tokens') ===
          String(estimateTokens(stamped)),
        'the tokens are those of the text',
      );
    },
  }),
};

function createdIn(text: string): string | null {
  const found = findFrontmatter(text);
  return found === null ? null : getFrontmatterValue(text.slice(found.yamlStart, found.yamlEnd), 'created');
}

export const outline: Target = {
  full: 250_000,
  maxBytes: 8_000,
  words: [
    '# ',
    '## ',
    '### x\n',
    '\n',
    '\r\n',
    '```\n',
    '~~~\n',
    '````',
    '===\n',
    '---\n',
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '<pre>',
    '> ',
    '- ',
    '1. ',
    '    ',
    '\t',
    '# 2025-07-14\n',
    'replaces: vault/changelog.md § x\n',
    '\\#',
    '***\n',
  ],
  open: () => ({
    run(input) {
      const text = input.toString('utf8');
      const lines = splitLines(text);
      const next = createOutlineParser();
      for (const [index, line] of lines.entries()) {
        const { heading, isVerbatim } = next(line);
        if (heading === null) continue;
        must(!isVerbatim, 'a heading is not verbatim');
        must(
          heading.level >= 1 && heading.level <= 6 && heading.lines >= 1 && heading.lines <= index + 1,
          'a heading is inside the text',
        );
        must(!heading.text.includes('\n'), 'a heading is one line');
      }
      let last = 0;
      for (const entry of parseChangelog(text)) {
        must(
          entry.lines.start > last && entry.lines.end >= entry.lines.start && entry.lines.end <= lines.length,
          'entries of a changelog are inside it, one after the other',
        );
        last = entry.lines.end;
      }
    },
  }),
};

const files = ['a.md', 'b c.md', 'notes/a.md', 'notes/plan.png', 'é.md', 'x(1).pdf', '50%.md', 'a#b.md'];
const moves = new Map([
  ['a.md', 'elsewhere/a.md'],
  ['b c.md', 'notes/deep/c d.md'],
  ['notes/plan.png', 'notes/bucket/plan (2).png'],
]);
const [before, after] = [
  createLinkResolver(files),
  createLinkResolver(files.map((file) => moves.get(file) ?? file)),
];
const still = { destinations: new Map(files.map((file) => [file, file])), before, after: before };

export const links: Target = {
  full: 150_000,
  maxBytes: 6_000,
  words: [
    '[',
    ']',
    '](',
    ')',
    '<',
    '>',
    '[[',
    ']]',
    '|',
    '#',
    '^',
    '![',
    '![[',
    '\\',
    '`',
    '```\n',
    '\n[a]: ',
    'a.md',
    '<b c.md>',
    'b%20c.md',
    'notes/plan.png',
    '../',
    'src="',
    "href='",
    '%',
    '%e9',
    'http://x',
    ' "title")',
    '\n',
    '\n    ',
    '%zz',
    '(',
    'x(1).pdf',
  ],
  open: () => ({
    run(input) {
      const text = input.toString('utf8');
      let last = 0;
      for (const { start, end, line, target } of parseLinks(text)) {
        must(
          start >= last && end > start && end <= text.length,
          'links are inside the text, one after the other',
        );
        must(text.slice(0, start).split('\n').length === line, 'a link has the right line number');
        must(typeof target === 'string', 'a link has a target');
        last = end;
      }
      parseWikilinks(splitLines(text)[0] ?? '');
      parseLinkDestination(text);
      must(
        rewriteLinks(text, 'notes/note.md', still).text === text,
        'links to files that stay are not touched',
      );
      const moved = rewriteLinks(text, 'notes/note.md', { destinations: moves, before, after });
      const [had, has] = [parseLinks(text), parseLinks(moved.text)];
      must(had.length === has.length, 'a link that is rewritten is still a link');
      for (const [index, link] of had.entries()) {
        const aim = before.resolve(link, 'notes/note.md');
        const now = has[index];
        if (aim === null || now === undefined) continue;
        must(
          after.resolve(now, 'notes/note.md') === (moves.get(aim) ?? aim) || !moves.has(aim),
          'a link to a file that was moved leads to it',
        );
        must(now.anchor === link.anchor, 'a link that is rewritten keeps its anchor');
      }
    },
  }),
};

export const blocks: Target = {
  full: 100_000,
  maxBytes: 4_000,
  words: [
    '```',
    '~~~',
    '````',
    '1  | ',
    '2  |',
    '| ',
    '\n',
    '\r\n',
    '\r',
    '(lines 1-2)',
    ' (lines 1-2 of 9)',
    'vault/x.md',
    '`',
    '\u2028',
    '99999999999999999999 | ',
  ],
  open: () => ({
    run(input) {
      const text = input.toString('utf8');
      for (const { start, lines } of parseBlocks(text))
        must(
          Number.isFinite(start) && lines.every((line) => !line.includes('\n')),
          'what is read back has lines',
        );
      const lines = splitLines(text).map((line) => line.replaceAll('\r', '␍'));
      const first = 1 + (input.length % 1_000);
      const shown = renderBlock(
        `vault/x.md (lines ${first}-${first + lines.length - 1})`,
        formatNumberedLines(lines, first),
      );
      const [parsed, ...others] = parseBlocks(
        `${shown}\n\n${renderBlock('vault/y.md', formatNumberedLines(['end'], 1))}`,
      );
      must(others.length === 1, 'no line of a block ends it');
      must(
        parsed?.path === 'vault/x.md' && parsed.lines.join('\n') === lines.join('\n'),
        'a block is read back as it was',
      );
    },
  }),
};
