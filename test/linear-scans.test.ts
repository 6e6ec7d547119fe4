import { describe, expect, it } from 'vitest';
import { joinNewEntries, newEntries, plainEntry } from '../packages/vault/src/agents/update/changelog.ts';
import { beginning, cutPortions } from '../packages/vault/src/agents/update/portions.ts';
import { isFoundIn } from '../packages/vault/src/agents/update/shared-words.ts';
import { withStatus } from '../packages/vault/src/agents/update/status.ts';
import {
  createLinkTargets,
  linksIn,
  loadedAddresses,
  rewriteLinks,
} from '../packages/vault/src/contract/index.ts';
import { hasLeader } from '../packages/vault/src/intake/pdf/leaders.ts';
import { insertText } from '../packages/vault/src/changes/index.ts';
import { findLines } from '../packages/vault/src/tools/find-lines.ts';
import { placeEdit } from '../packages/vault/src/tools/place-edit.ts';
import {
  bytesSource,
  changelogEntries,
  findStatus,
  ownWords,
  foldSource,
  measureBytes,
  originalOf,
  parseBlocks,
  portableStem,
  portableTitle,
  replaceStatus,
  slugOf,
  splitLines,
  withoutStamps,
} from '../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { costRatio } from './cost-ratio.ts';

const path = 'vault/a.md' as VaultPath;
const targets = createLinkTargets(['a.md', 'b.md']);
const moves = { to: new Map([['b.md', 'c.md']]), before: targets, after: targets };

/** What reads texts that anybody may have written. */
const scans: [string, (text: string) => unknown][] = [
  [
    'the status of an overview',
    (text) => [findStatus(text), replaceStatus(text, ''), withStatus(text, '', 0)],
  ],
  ['what somebody wrote in a file', (text) => ownWords(text, true)],
  ['stamps', (text) => withoutStamps(text)],
  ['the name of an original', (text) => originalOf(text)],
  ['the entries of a changelog', (text) => changelogEntries(text)],
  ['new entries', (text) => [newEntries('', text), joinNewEntries('## a\n', text), plainEntry('', text, [])]],
  ['portions', (text) => cutPortions([{ path, lines: splitLines(text) }], beginning, 1_000)],
  ['words in common', (text) => isFoundIn(text, text)],
  ['links', (text) => [linksIn(text), rewriteLinks(text, 'a.md', moves)]],
  ['what an editor loads', (text) => [loadedAddresses(`![a]${text}`), loadedAddresses(`![${text}`)]],
  ['a folded text', (text) => foldSource(bytesSource(Buffer.from(text)))],
  ['a measured text', (text) => measureBytes(Buffer.from(text))],
  ['blocks', (text) => parseBlocks(text)],
  ['the name of a file', (text) => [portableStem(text), portableTitle(text), slugOf(text)]],
  [
    'a text below or above another',
    (text) => [insertText(text, 'a', 'top', true), insertText('a', text, 'bottom', false)],
  ],
  ['the place of a piece of text', (text) => placeEdit(text, text.slice(0, 9), 'a')],
  [
    'lines that moved',
    (text) => findLines(splitLines(text), [...splitLines(text.slice(text.length / 2)), '!'], 2),
  ],
  ['a line of a table of contents', (text) => hasLeader(text)],
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
].flat();

/** What stands before and after the many: what they would need to be over, or what keeps them from it. */
const frames = [
  ['', ''],
  ['', 'x'],
  ['# a\n', '\nx\n'],
  ['---\n', '\n---\nx\n'],
] as const;

/** In microseconds: a scan that begins anew at each of the places needs far more on any machine. */
const surelyOnce = 20_000;
/** Four times the text is sixteen times the work of such a scan. */
const mostRatio = 9;

describe('four times the text is about four times the work', () => {
  it.each(scans)('for %s', async (_, scan) => expect(await firstSlow(scan)).toBeNull(), 120_000);
});

async function firstSlow(scan: (text: string) => unknown): Promise<string | null> {
  for (const unit of units)
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
      if (ratio > mostRatio) return JSON.stringify(before + unit + after);
    }
  return null;
}
