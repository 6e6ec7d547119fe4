import { z } from 'zod';
import { concatOutput } from '../contract/index.ts';
import type { ConcatValue, PathError } from '../contract/index.ts';
import {
  createReplacementFinder,
  describeBinary,
  formatImageLine,
  maxTextBytes,
  notAnImageMessage,
  parseLineRanges,
  readImageHeader,
  computeRevision,
  formatBytes,
  formatInput,
  formatPath,
  readAllLines,
} from '../vault/index.ts';
import { openText } from '../search/index.ts';
import type { TextFile } from '../search/index.ts';
import type { FindReplaced, LineRange, ViewFile } from '../vault/index.ts';
import { toExtractedValue } from './describe-extraction.ts';
import { recordShownBlock, createResultBuilder } from './result-builder.ts';
import type { TextBlock } from './result-builder.ts';
import { defineReadTool } from './define-tool.ts';
import { relocateRange } from './relocate-range.ts';
import { createMissingPathErrors, parseRangeArgument } from './path-argument.ts';
import type { DescribeMissing, RangeArgument } from './path-argument.ts';
import { toReplacedValue } from './format-replaced.ts';
import type { Run } from './run.ts';
import { imageHasNoLinesMessage, formatLineRange, readRange } from './read-range.ts';

const input = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().describe('File path'),
        lines: z
          .string()
          .nullish()
          .describe('Line ranges: "9-14", "9", "9-" to the end, or "11-12,18". Default: the whole file'),
      }),
    )
    .describe('Entries to quote, in order'),
});

type RequestedFile = z.output<typeof input>['files'][number];
type Outcome = { ok: true; block: TextBlock; note?: string } | { ok: false; error: PathError };

export const concatTool = defineReadTool({
  name: 'concat',
  title: 'Quote lines',
  description: [
    'Quote files or line ranges verbatim in one document: one block per entry, in the given order, with line numbers.',
    'Several ranges of one entry become one block with gaps, e.g. the header of a table and a row: "11-12,18".',
    'Example: {"files": [{"path": "vault/tasks.md"}, {"path": "vault/projects/startup-x/changelog.md", "lines": "9-14"}]}',
  ].join(' '),
  input,
  output: concatOutput,
  async run({ files }, run) {
    const assembly = createResultBuilder(run.bounds);
    const missing = createMissingPathErrors(run);
    const findReplaced = createReplacementFinder(run.view, run.today());
    for (const [index, requested] of files.entries()) {
      const resolved = await resolveRanges(requested, run);
      if (!resolved.ok) {
        assembly.addError(resolved.error);
        continue;
      }
      const problems = new Set<string>();
      for (const range of resolved.ranges ?? [null]) {
        if (assembly.isFull()) {
          assembly.omit(resolved.displayPath, range && formatLineRange(range));
          continue;
        }
        const outcome = await assemble({ ...resolved, range }, run, missing);
        if (outcome.ok) {
          const block = await attachReplaced(outcome.block, findReplaced);
          assembly.addBlock({ ...block, entry: index + 1 }, outcome.note);
        } else if (!problems.has(outcome.error.message)) {
          // A missing file is reported once, not for each of its ranges.
          problems.add(outcome.error.message);
          assembly.addError(outcome.error);
        }
      }
    }
    const { text, blocks, errors, notes, omitted } = assembly.finish();
    for (const block of blocks) recordShownBlock(run.shownLines, block);
    return { text, images: [], value: { blocks: blocks.map(describe), errors, notes, leftOut: omitted } };
  },
});

/** The line ranges may be a separate field or part of the path. */
async function resolveRanges({ path, lines }: RequestedFile, run: Run): Promise<RangeArgument> {
  const named = await parseRangeArgument(path, run.view);
  if (!named.ok || lines == null || lines.trim() === '') return named;
  const failed = (message: string): RangeArgument => ({
    ok: false,
    error: { path: named.displayPath, message },
  });
  if (named.ranges !== null) return failed('the line range is given twice; give it once');
  const parsed = parseLineRanges(lines);
  return parsed.ok
    ? { ...named, ranges: parsed.ranges }
    : failed(`"${formatInput(parsed.input)}" ${parsed.reason}`);
}

type ResolvedRange = Extract<RangeArgument, { ok: true }> & { range: LineRange | null };

async function assemble(resolved: ResolvedRange, run: Run, missing: DescribeMissing): Promise<Outcome> {
  const failed = (message: string): Outcome => ({
    ok: false,
    error: { path: resolved.displayPath, message },
  });
  return run.view.withEntry(resolved.path, async (viewed): Promise<Outcome> => {
    switch (viewed.kind) {
      case 'file': {
        const extracted = await extractLines(viewed, resolved.range, run);
        return typeof extracted === 'string' ? failed(extracted) : { ok: true, ...extracted };
      }
      case 'folder':
        return failed('it is a folder; list its files one by one');
      case 'missing':
        return { ok: false, error: await missing(resolved) };
      case 'refused':
        return failed(viewed.reason);
    }
  });
}

type ExtractedBlock = { block: TextBlock; note?: string };

/** Extracts the requested lines of a file; a string is the reason for a failure. */
async function extractLines(
  viewed: ViewFile,
  range: LineRange | null,
  { shownLines, readDocument }: Run,
): Promise<ExtractedBlock | string> {
  if (viewed.fileKind === 'image')
    return range === null ? toExtracted(await describeImage(viewed)) : imageHasNoLinesMessage;
  const opened = await openText(viewed, readDocument);
  if (opened.kind !== 'text') return opened.reason;
  const { file } = opened;
  if (range === null) return toExtracted(await extractWholeFile(file));
  const now = await relocateRange(file, range, shownLines);
  if (typeof now === 'string') return now;
  const block = await readRange(file, now);
  if (typeof block === 'string' || now.start === range.start) return toExtracted(block);
  const { start, end } = describe(block);
  return {
    block,
    note: `${formatPath(file.path)}: lines ${formatLineRange(range)} have moved to ${start}-${end} since they were shown`,
  };
}

function toExtracted(block: TextBlock | string): ExtractedBlock | string {
  return typeof block === 'string' ? block : { block };
}

async function extractWholeFile(file: TextFile): Promise<TextBlock | string> {
  const { path, source, extracted } = file;
  if (source.size > maxTextBytes) return tooLarge(source.size);
  const measure = await file.measure();
  if (measure === null)
    return `it is ${describeBinary(await source.read(0, 4096))}; only text, documents and images can be quoted`;
  const { revision, lines: totalLines, tokens } = measure;
  const body = await readAllLines(source);
  if (body.kind !== 'lines') return 'the file changed while it was being read; try again';
  return { path, revision, totalLines, tokens, body, keep: 'start', isRange: false, extracted };
}

/** An image is quoted as a single line that names it. */
async function describeImage({ path, source }: ViewFile): Promise<TextBlock | string> {
  if (source.size > maxTextBytes) return `the image is ${formatBytes(source.size)}, over 20 MB`;
  const bytes = await source.read(0, source.size);
  const header = readImageHeader(bytes);
  if (header === null) return notAnImageMessage;
  const announcement = formatImageLine(path, header);
  const body: TextBlock['body'] = { kind: 'image', announcement };
  const tokens = Math.ceil(announcement.length / 4);
  return {
    path,
    revision: computeRevision(bytes),
    totalLines: 1,
    tokens,
    body,
    keep: 'start',
    isRange: false,
  };
}

async function attachReplaced(block: TextBlock, findReplaced: FindReplaced): Promise<TextBlock> {
  const { start, end } = describe(block);
  return { ...block, replaced: await findReplaced(block.path, { start, end }) };
}

const tooLarge = (bytes: number): string =>
  `it is ${formatBytes(bytes)}, over 20 MB; request a range of lines`;

function describe(block: TextBlock): ConcatValue['blocks'][number] {
  const { path, revision, body, entry = 1, replaced = [] } = block;
  const [start, lines] = body.kind === 'lines' ? [body.first, body.lines.length] : [1, 1];
  const end = start + lines - 1;
  const fields = { ...toExtractedValue(block), ...toReplacedValue(replaced) };
  return { number: entry, path: formatPath(path), start, end, revision, ...fields };
}
