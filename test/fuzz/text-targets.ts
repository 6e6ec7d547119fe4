import {
  createLinkTargets,
  linksIn,
  parseLocalTime,
  readAddress,
  rewriteLinks,
  wikilinksIn,
} from '../../packages/vault/src/contract/index.ts';
import type { LocalTime } from '../../packages/vault/src/contract/index.ts';
import { pathFromUri, resourceUri } from '../../packages/vault/src/server/mcp/resource-uri.ts';
import {
  block,
  bodyOf,
  changelogEntries,
  findFrontmatter,
  frontmatterValue,
  numberedLines,
  parseBlocks,
  parseVaultPath,
  partsOf,
  portableProblem,
  showInput,
  showPath,
  splitLines,
  stampedAt,
} from '../../packages/vault/src/vault/index.ts';
import { tokensOf } from '../../packages/vault/src/vault/frontmatter.ts';
import { startOutline } from '../../packages/vault/src/vault/outline.ts';
import { nameProblem } from '../../packages/vault/src/vault/path.ts';
import { must } from './target.ts';
import type { Target } from './target.ts';

// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/;

/** What is not UTF-8 becomes halves of letters here, which strings of a program may have, and bytes of a file may not. */
function textOf(input: Buffer): string {
  return input.toString('utf8').replaceAll('\ufffd', '\ud800');
}

export const paths: Target = {
  full: 400_000,
  longest: 6_000,
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
      must(!control.test(showInput(text)), 'an input is shown on one line, whatever it is');
      const parsed = parseVaultPath(text);
      if (!parsed.ok) {
        must(parsed.reason !== '' && !control.test(parsed.reason), 'a refused path has a reason of one line');
        return;
      }
      const { path } = parsed;
      must(path === 'vault' || path.startsWith('vault/'), 'a path lies in the vault');
      must(path.normalize('NFC') === path && path.isWellFormed(), 'a path is NFC');
      must(
        partsOf(path).every((part) => part !== '' && nameProblem(part) === null),
        'every part of a path is a name',
      );
      const shown = showPath(path);
      must(!control.test(shown), 'a path is shown on one line');
      const again = parseVaultPath(shown);
      must(again.ok && again.path === path, 'a path that is shown leads to the same path');
      const uri = pathFromUri(new URL(resourceUri(path)));
      must(path === 'vault' || (uri.ok && uri.path === path), 'the URI of a path leads to the same path');
      portableProblem(path);
    },
  }),
};

const [oneTime, otherTime] = ['2025-07-14T18:30:00', '2031-01-02T03:04:05'].map(parseLocalTime) as [
  LocalTime,
  LocalTime,
];
/** Or goes on with the value of one. */
const hasStamp = /^[ \t]|^$|created|updated|tokens/;

export const frontmatter: Target = {
  full: 30_000,
  longest: 4_000,
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
      const stamped = stampedAt(text, oneTime);
      must(stampedAt(stamped, oneTime) === stamped, 'stamping twice changes nothing more');
      must(
        stampedAt(stampedAt(text, otherTime), oneTime) === stamped || createdIn(text) === null,
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
      must(bodyOf(stamped) === bodyOf(text), 'stamps change nothing below the frontmatter');
      const others = (whole: string): string =>
        splitLines(whole)
          .filter((line) => !hasStamp.test(line))
          .join('\n');
      must(others(stamped) === others(text), 'stamps change no other line');
      must(
        frontmatterValue(stamped.slice(0, findFrontmatter(stamped)?.yamlEnd), 'tokens') ===
          String(tokensOf(stamped)),
        'the tokens are those of the text',
      );
    },
  }),
};

function createdIn(text: string): string | null {
  const found = findFrontmatter(text);
  return found === null ? null : frontmatterValue(text.slice(found.yamlStart, found.yamlEnd), 'created');
}

export const outline: Target = {
  full: 250_000,
  longest: 8_000,
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
      const next = startOutline();
      for (const [index, line] of lines.entries()) {
        const { heading, verbatim } = next(line);
        if (heading === null) continue;
        must(!verbatim, 'a heading is not verbatim');
        must(
          heading.level >= 1 && heading.level <= 6 && heading.lines >= 1 && heading.lines <= index + 1,
          'a heading lies in the text',
        );
        must(!heading.text.includes('\n'), 'a heading is one line');
      }
      let last = 0;
      for (const entry of changelogEntries(text)) {
        must(
          entry.lines.start > last && entry.lines.end >= entry.lines.start && entry.lines.end <= lines.length,
          'entries of a changelog lie in it, one after the other',
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
  createLinkTargets(files),
  createLinkTargets(files.map((file) => moves.get(file) ?? file)),
];
const still = { to: new Map(files.map((file) => [file, file])), before, after: before };

export const links: Target = {
  full: 150_000,
  longest: 6_000,
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
      for (const { start, end, line, target } of linksIn(text)) {
        must(
          start >= last && end > start && end <= text.length,
          'links lie in the text, one after the other',
        );
        must(text.slice(0, start).split('\n').length === line, 'a link says its line');
        must(typeof target === 'string', 'a link has a target');
        last = end;
      }
      wikilinksIn(splitLines(text)[0] ?? '');
      readAddress(text);
      must(
        rewriteLinks(text, 'notes/note.md', still).text === text,
        'links to files that stay are not touched',
      );
      const moved = rewriteLinks(text, 'notes/note.md', { to: moves, before, after });
      const [had, has] = [linksIn(text), linksIn(moved.text)];
      must(had.length === has.length, 'a link that is rewritten is still a link');
      for (const [index, link] of had.entries()) {
        const aim = before.find(link, 'notes/note.md');
        const now = has[index];
        if (aim === null || now === undefined) continue;
        must(
          after.find(now, 'notes/note.md') === (moves.get(aim) ?? aim) || !moves.has(aim),
          'a link to a file that was moved leads to it',
        );
        must(now.anchor === link.anchor, 'a link that is rewritten keeps its anchor');
      }
    },
  }),
};

export const blocks: Target = {
  full: 100_000,
  longest: 4_000,
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
      const shown = block(
        `vault/x.md (lines ${first}-${first + lines.length - 1})`,
        numberedLines(lines, first),
      );
      const [parsed, ...others] = parseBlocks(
        `${shown}\n\n${block('vault/y.md', numberedLines(['end'], 1))}`,
      );
      must(others.length === 1, 'no line of a block ends it');
      must(
        parsed?.path === 'vault/x.md' && parsed.lines.join('\n') === lines.join('\n'),
        'a block is read back as it was',
      );
    },
  }),
};
