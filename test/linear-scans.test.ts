import { describe, expect, it } from 'vitest';
import {
  mergeAddedEntries,
  countAddedEntries,
  createDefaultEntry,
} from '../packages/vault/src/agents/update/changelog.ts';
import { startPosition, splitInput } from '../packages/vault/src/agents/update/split-input.ts';
import { isCoveredBy } from '../packages/vault/src/review/word-overlap.ts';
import { setStatus } from '../packages/vault/src/agents/update/overview-status.ts';
import { createLinkResolver, parseLinks, rewriteLinks } from '../packages/vault/src/contract/index.ts';
import { hasDotLeader } from '../packages/vault/src/intake/pdf/leaders.ts';
import { insertText } from '../packages/vault/src/changes/index.ts';
import { parseWrittenCalls } from '../packages/vault/src/models/parse-written-calls.ts';
import { stripPartialThinking } from '../packages/vault/src/models/strip-thinking.ts';
import { findSecrets } from '../packages/vault/src/secrets/index.ts';
import { locateLines } from '../packages/vault/src/tools/locate-lines.ts';
import { applyEdit } from '../packages/vault/src/tools/apply-edit.ts';
import {
  createBufferSource,
  parseChangelog,
  findRemoteResources,
  findStatus,
  extractUserText,
  foldMarkdown,
  computeTextStats,
  readOriginal,
  parseBlocks,
  parseTasks,
  portableStem,
  portableTitle,
  replaceStatus,
  slugify,
  splitLines,
  stripStamps,
} from '../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { costRatio } from './cost-ratio.ts';
import { sampleOf } from './sample-of.ts';

const path = 'vault/a.md' as VaultPath;
const targets = createLinkResolver(['a.md', 'b.md']);
const moves = { destinations: new Map([['b.md', 'c.md']]), before: targets, after: targets };

/** Functions that scan untrusted texts. */
const scans: [string, (text: string) => unknown][] = [
  [
    'finding and replacing the status of an overview',
    (text) => [findStatus(text), replaceStatus(text, ''), setStatus(text, '', 0)],
  ],
  ['extracting the text that a user wrote', (text) => extractUserText(text, true)],
  ['stripping stamps', (text) => stripStamps(text)],
  ['reading the name of an original', (text) => readOriginal(text)],
  ['parsing a changelog', (text) => parseChangelog(text)],
  [
    'counting and merging new changelog entries',
    (text) => [
      countAddedEntries('', text),
      mergeAddedEntries('## a\n', text),
      createDefaultEntry('', text, []),
    ],
  ],
  ['splitting an input', (text) => splitInput([{ path, lines: splitLines(text) }], startPosition, 1_000)],
  ['comparing the words of two texts', (text) => isCoveredBy(text, text)],
  ['parsing and rewriting links', (text) => [parseLinks(text), rewriteLinks(text, 'a.md', moves)]],
  [
    'finding remote resources',
    (text) => [findRemoteResources(`![a]${text}`), findRemoteResources(`![${text}`)],
  ],
  ['folding markdown', (text) => foldMarkdown(createBufferSource(Buffer.from(text)))],
  ['computing text statistics', (text) => computeTextStats(Buffer.from(text))],
  ['parsing tasks', (text) => [parseTasks(text), parseTasks(`- [ ] ${text} 2026-07-14`)]],
  ['parsing blocks', (text) => parseBlocks(text)],
  ['deriving a file name', (text) => [portableStem(text), portableTitle(text), slugify(text)]],
  [
    'inserting a text above or below another',
    (text) => [insertText(text, 'a', 'top', true), insertText('a', text, 'bottom', false)],
  ],
  ['replacing a part of a text', (text) => applyEdit(text, text.slice(0, 9), 'a')],
  [
    'locating moved lines',
    (text) => locateLines(splitLines(text), [...splitLines(text.slice(text.length / 2)), '!'], 2),
  ],
  ['finding secrets', (text) => [findSecrets(text), findSecrets(`password=${text}`)]],
  ['detecting a dot leader', (text) => hasDotLeader(text)],
  ['removing the thoughts of a model', (text) => stripPartialThinking(text)],
  [
    'parsing tool calls in a text',
    (text) => [
      parseWrittenCalls(text, ['a'], () => ''),
      parseWrittenCalls('<function=a>{}', ['a'], () => text),
    ],
  ],
];

const units = [
  ['a', ' ', '\t', '\n', '\r\n', ' \n', '.', '. ', '-', '- '],
  ['# ', '# a\n', '## a\n', '>', '*', '=', '`', '```\n', '~~~\n', '<!-- keepsake:status -->\n'],
  ['<!--', '<!-- -->\n', '-->', '[[', '[[a|', '[a](', '](', '](<', '](a ', '(', '[a]: '],
  ['src="', "href='", 'a: ', 'created: ', 'created: 2025-07-14\n', '---\n', '"', '\\', '|', '1 | a\n'],
  [
    'vault/',
    'replaces: vault/changelog.md § a\n',
    '# 2025-07-14\n\n## a\n\n',
    '00:12 A:',
    '\u0301',
    '語',
    '\0',
  ],
  ['<think>', '</think>', '<tool_call>{', '<function=a>{"', '<tool_call>{"name":"a","input":{}}', '{', '["'],
].flat();

/** Texts before and after the repetitions, which complete a match or prevent it. */
const frames = [
  ['', ''],
  ['', 'x'],
  ['# a\n', '\nx\n'],
  ['---\n', '\n---\nx\n'],
] as const;

/** In microseconds: a scan that restarts at each repetition needs far more on any machine. */
const surelyOnce = 20_000;
/** For four times the text, a quadratic scan needs sixteen times the time. */
const maxRatio = 9;

describe('the running time', () => {
  it.each(scans.map(([name, scan], offset) => ({ name, scan, offset })))(
    'of $name is linear in the length of the text',
    async ({ scan, offset }) => expect(await firstSlow(scan, sampleOf(units, 3, offset))).toBeNull(),
    120_000,
  );
});

async function firstSlow(
  scan: (text: string) => unknown,
  repeated: readonly string[],
): Promise<string | null> {
  for (const unit of repeated)
    for (const [before, after] of frames) {
      const text = (length: number): string => before + unit.repeat(Math.ceil(length / unit.length)) + after;
      const [short, long] = [text(10_000), text(40_000)];
      const start = process.threadCpuUsage();
      await scan(long);
      if (process.threadCpuUsage(start).user < surelyOnce) continue;
      const ratio = await costRatio(
        () => scan(long),
        () => scan(short),
      );
      if (ratio > maxRatio) return JSON.stringify(before + unit + after);
    }
  return null;
}
