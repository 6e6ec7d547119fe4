import { z } from 'zod';
import { concatValue } from '../contract/index.ts';
import type { ConcatValue, PathError } from '../contract/index.ts';
import {
  createReplacedFinder,
  describeBinary,
  imageLine,
  largestText,
  notAnImage,
  parseLineRange,
  readImageHeader,
  revisionOf,
  showBytes,
  showInput,
  showPath,
  wholeLines,
} from '../vault/index.ts';
import type { FindReplaced, LineRange, ViewedFile } from '../vault/index.ts';
import { noteBlock, startAssembly } from './assembly.ts';
import type { TextBlock } from './assembly.ts';
import { defineReadTool } from './define-tool.ts';
import { followLines } from './follow-lines.ts';
import { explainMissing, nameLines } from './name-path.ts';
import type { ExplainMissing, NamedLines } from './name-path.ts';
import { replacedValue } from './replaced-note.ts';
import type { Run } from './run.ts';
import type { Shown } from './shown.ts';
import { imageHasNoLines, showRange, takeRange } from './take-range.ts';

const input = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().describe('A file in the vault'),
        lines: z
          .string()
          .nullish()
          .describe(
            'The lines to include, as "9-14", "9", or "9-" to the end; leave it out for the whole file',
          ),
      }),
    )
    .describe('What to assemble, in the order of the result'),
});

type Wanted = z.output<typeof input>['files'][number];
type Outcome = { ok: true; block: TextBlock; note?: string } | { ok: false; error: PathError };

export const concat = defineReadTool({
  name: 'concat',
  title: 'Quote lines',
  description: [
    'Assembles files, or ranges of their lines, word for word into one document: one block each, in the order',
    'given, every line with its number in the file. A file may be named several times. Example: {"files": [{"path": "vault/tasks.md"},',
    '{"path": "vault/projects/startup-x/changelog.md", "lines": "9-14"}]}',
  ].join(' '),
  input,
  output: concatValue,
  async run({ files }, run) {
    const assembly = startAssembly(run.bounds);
    const missing = explainMissing(run);
    const findReplaced = createReplacedFinder(run.view);
    for (const wanted of files) {
      const asked = await rangeAsked(wanted, run);
      if (asked.ok && assembly.isFull()) {
        assembly.leaveOut(asked.shown, asked.range && showRange(asked.range));
        continue;
      }
      const outcome = asked.ok ? await assemble(asked, run, missing) : asked;
      if (!outcome.ok) assembly.addError(outcome.error);
      else assembly.addBlock(await markReplaced(outcome.block, findReplaced), outcome.note);
    }
    const { text, blocks, errors, notes, leftOut } = assembly.finish();
    for (const block of blocks) noteBlock(run.shown, block);
    return { text, images: [], value: { blocks: blocks.map(describe), errors, notes, leftOut } };
  },
});

/** The lines may be named beside the path or in it. */
async function rangeAsked({ path, lines }: Wanted, run: Run): Promise<NamedLines> {
  const named = await nameLines(path, run.view);
  if (!named.ok || lines == null || lines.trim() === '') return named;
  const failed = (message: string): NamedLines => ({ ok: false, error: { path: named.shown, message } });
  if (named.range !== null) return failed('its lines are named twice; name them once');
  const parsed = parseLineRange(lines);
  return parsed.ok ? { ...named, range: parsed.range } : failed(`"${showInput(lines)}" ${parsed.reason}`);
}

type Asked = Extract<NamedLines, { ok: true }>;

async function assemble(asked: Asked, run: Run, missing: ExplainMissing): Promise<Outcome> {
  const failed = (message: string): Outcome => ({ ok: false, error: { path: asked.shown, message } });
  return run.view.look(asked.path, async (viewed): Promise<Outcome> => {
    switch (viewed.kind) {
      case 'file': {
        const taken = await takeLines(viewed, asked.range, run.shown);
        return typeof taken === 'string' ? failed(taken) : { ok: true, ...taken };
      }
      case 'folder':
        return failed('it is a folder; name its files one by one');
      case 'missing':
        return { ok: false, error: await missing(asked) };
      case 'refused':
        return failed(viewed.reason);
    }
  });
}

type Taken = { block: TextBlock; note?: string };

/** What is taken of a file, or why nothing is. */
async function takeLines(file: ViewedFile, range: LineRange | null, shown: Shown): Promise<Taken | string> {
  if (file.fileKind === 'image') return range === null ? asTaken(await nameImage(file)) : imageHasNoLines;
  if (range === null) return asTaken(await takeWhole(file));
  const now = await followLines(file, range, shown);
  if (typeof now === 'string') return now;
  const block = await takeRange(file, now);
  if (typeof block === 'string' || now.start === range.start) return asTaken(block);
  const { start, end } = describe(block);
  return {
    block,
    note: `${showPath(file.path)}: lines ${showRange(range)} have moved to ${start}-${end} since they were shown`,
  };
}

function asTaken(block: TextBlock | string): Taken | string {
  return typeof block === 'string' ? block : { block };
}

async function takeWhole(file: ViewedFile): Promise<TextBlock | string> {
  const { path, source } = file;
  if (source.size > largestText) return tooLarge(source.size);
  const measure = await file.measure();
  if (measure === null)
    return `it is ${describeBinary(await source.read(0, 4096))}; only text and images can be assembled`;
  const { revision, lines: totalLines, tokens } = measure;
  const body = await wholeLines(source);
  if (body.kind !== 'lines') return 'it changed while it was being read; try again';
  return { path, revision, totalLines, tokens, body, keep: 'start', isRange: false };
}

/** An image is cited by the one line that names it. */
async function nameImage({ path, source }: ViewedFile): Promise<TextBlock | string> {
  if (source.size > largestText) return `the image is ${showBytes(source.size)}, over 20 MB`;
  const bytes = await source.read(0, source.size);
  const header = readImageHeader(bytes);
  if (header === null) return notAnImage;
  const announcement = imageLine(path, header);
  const body: TextBlock['body'] = { kind: 'image', announcement };
  const tokens = Math.ceil(announcement.length / 4);
  return {
    path,
    revision: revisionOf(bytes),
    totalLines: 1,
    tokens,
    body,
    keep: 'start',
    isRange: false,
  };
}

async function markReplaced(block: TextBlock, findReplaced: FindReplaced): Promise<TextBlock> {
  const { start, end } = describe(block);
  return { ...block, replaced: await findReplaced(block.path, { start, end }) };
}

const tooLarge = (bytes: number): string => `it is ${showBytes(bytes)}, over 20 MB; name a range of lines`;

function describe({ path, revision, body, replaced = [] }: TextBlock): ConcatValue['blocks'][number] {
  const [start, lines] = body.kind === 'lines' ? [body.first, body.lines.length] : [1, 1];
  return { path: showPath(path), start, end: start + lines - 1, revision, ...replacedValue(replaced) };
}
