import { z } from 'zod';
import { readOutput } from '../contract/index.ts';
import type { PathError, ReadValue } from '../contract/index.ts';
import {
  describeBinary,
  foldMarkdown,
  hasOwnLines,
  readHeadLines,
  maxImageHeaderBytes,
  formatImageLine,
  maxTextBytes,
  notAnImageMessage,
  readImageHeader,
  computeRevision,
  formatBytes,
  formatInput,
  formatPath,
  readTailLines,
  readAllLines,
} from '../vault/index.ts';
import { openText } from '../search/index.ts';
import type { TextFile } from '../search/index.ts';
import type { LineRange, VaultPath, ViewFile } from '../vault/index.ts';
import { toExtractedValue } from './describe-extraction.ts';
import { recordShownBlock, createResultBuilder } from './result-builder.ts';
import type { TextBlock } from './result-builder.ts';
import { defineReadTool } from './define-tool.ts';
import type { ImagePart } from './define-tool.ts';
import { expandPattern } from './expand-pattern.ts';
import { createMissingPathErrors, parseRangeArgument, treeHint } from './path-argument.ts';
import type { DescribeMissing } from './path-argument.ts';
import type { Run } from './run.ts';
import { imageHasNoLinesMessage, formatLineRange, readRange } from './read-range.ts';

const tokenBudget = (end: string) =>
  z
    .int()
    .positive({ error: 'must be at least 1; omit it to read everything' })
    .nullish()
    .describe(`About this many tokens from the ${end} of each file, in whole lines`);

const input = z
  .strictObject({
    paths: z
      .union([z.string(), z.array(z.string()).min(1)], {
        error: 'pass a file, a folder, or a non-empty list',
      })
      .describe(
        'A file, a folder (the files directly inside it), a pattern (vault/projects/*/state.md), or a list of these',
      ),
    head: tokenBudget('start'),
    tail: tokenBudget('end'),
    folded: z
      .boolean()
      .nullish()
      .describe('Only the frontmatter and the H1/H2 headings, with the size of each section'),
  })
  .refine(({ head, tail }) => head == null || tail == null, {
    error: 'head and tail cannot be used together; pass one of them',
  })
  .refine(({ head, tail, folded }) => folded !== true || (head == null && tail == null), {
    error: 'folded cannot be used with head or tail',
  });

type Options = z.output<typeof input>;

export const readTool = defineReadTool({
  name: 'read',
  title: 'Read files',
  description: [
    'Read files, or all files directly inside a folder, with line numbers. Use these numbers in `concat` and `edit`. Images are',
    'returned as images, PDFs and other documents as their text. A path may include a line range: vault/x.md:120-260, or :120-',
    'to the end. A result holds up to 20,000 tokens and names the rest. For a large file use head or tail, or folded to see its',
    'headings first. Example:',
    '{"paths": ["vault/projects/startup-x/", "vault/tasks.md"], "head": 2000}',
  ].join(' '),
  input,
  output: readOutput,
  async run(options, run) {
    const assembly = createResultBuilder(run.bounds);
    const missing = createMissingPathErrors(run);
    const images: ReadValue['images'] = [];
    const add = (part: Part): void => {
      if (part.kind === 'error' || part.kind === 'unsupported') assembly.addError(part.error);
      if (part.kind === 'image' && assembly.addImage(part.image, part.caption)) images.push(part.metadata);
      if (part.kind === 'text') assembly.addBlock(part.block);
    };

    /**
     * An unsupported file in a folder is mentioned without being an error: it was not requested by name, and originals
     * are stored beside notes.
     */
    const addFromFolder = (part: Part): void => {
      if (part.kind === 'unsupported') assembly.addNote(`${part.error.path}: ${part.error.message}`);
      else add(part);
    };

    const paths: string[] = [];
    for (const path of [options.paths].flat()) {
      const expanded = await expandPattern(path, run.view);
      if (typeof expanded === 'string')
        assembly.addError({
          path: formatInput(path),
          message: `${expanded}; ${treeHint(run.toolInterface)}`,
        });
      else if (expanded === null) paths.push(path);
      else {
        paths.push(...expanded.paths);
        if (expanded.note !== null) assembly.addNote(expanded.note);
      }
    }
    for (const path of paths) {
      const named = await parseRangeArgument(path, run.view);
      if (!named.ok) assembly.addError(named.error);
      else if (assembly.isFull())
        assembly.omit(named.displayPath, named.ranges && named.ranges.map(formatLineRange).join(','));
      else {
        const [first = null, ...others] = named.ranges ?? [];
        const part = await readPath({ ...named, range: first }, options, run, missing);
        add(part);
        if (part.kind === 'text')
          for (const range of others) add(await readPath({ ...named, range }, options, run, missing));
        if (part.kind !== 'folder') continue;
        if (part.files.length === 0) assembly.addEmptyFolder(named.path);
        for (const file of part.files) {
          const direct = { path: file, displayPath: formatPath(file), range: null, isInFolder: true };
          if (assembly.isFull()) assembly.omit(direct.displayPath, null);
          else addFromFolder(await readPath(direct, options, run, missing));
        }
      }
    }

    const { text, images: parts, blocks, errors, notes, omitted } = assembly.finish();
    for (const block of blocks) recordShownBlock(run.shownLines, block);
    return {
      text,
      images: parts,
      value: { files: blocks.map(describe), images, errors, notes, leftOut: omitted },
    };
  },
});

/** The result for one path. A folder returns the files to read; `unsupported` is an error about the kind of file. */
type Part =
  | { kind: 'text'; block: TextBlock }
  | { kind: 'image'; image: ImagePart; metadata: ReadValue['images'][number]; caption: string }
  | { kind: 'folder'; files: VaultPath[] }
  | { kind: 'error' | 'unsupported'; error: PathError };

/** `isInFolder`: the folder was requested, and not the file. */
type ResolvedArgument = {
  path: VaultPath;
  displayPath: string;
  range: LineRange | null;
  isInFolder?: boolean;
};

function readPath(
  named: ResolvedArgument,
  options: Options,
  run: Run,
  missing: DescribeMissing,
): Promise<Part> {
  const { path, range, isInFolder = false } = named;
  return run.view.withEntry(path, async (viewed): Promise<Part> => {
    switch (viewed.kind) {
      case 'file':
        if (viewed.fileKind === 'image')
          return range === null ? readImage(viewed) : failed(path, imageHasNoLinesMessage);
        // Reading all documents of a folder would take long, and the text of an original is in the note beside it.
        if (isInFolder && !(await hasOwnLines(viewed)))
          return unsupported(path, 'a document; read it by its own path to see its text');
        return readLines(viewed, range, options, run);
      case 'folder':
        return range === null
          ? viewed
          : { kind: 'error', error: { path: named.displayPath, message: 'it is a folder and has no lines' } };
      case 'missing':
        return { kind: 'error', error: await missing(named) };
      case 'refused':
        return failed(path, viewed.reason);
    }
  });
}

/** A line range overrides head, tail and folded. */
async function readLines(
  viewed: ViewFile,
  range: LineRange | null,
  options: Options,
  { readDocument }: Run,
): Promise<Part> {
  const opened = await openText(viewed, readDocument);
  if (opened.kind !== 'text') return failed(viewed.path, opened.reason);
  if (range === null) return readText(opened.file, options);
  const block = await readRange(opened.file, range);
  return typeof block === 'string' ? failed(viewed.path, block) : { kind: 'text', block };
}

async function readText(file: TextFile, { head, tail, folded }: Options): Promise<Part> {
  const { path, source, extracted } = file;
  const isWhole = head == null && tail == null && folded !== true;
  // Checked first, because `measure` would read the whole file.
  if (isWhole && source.size > maxTextBytes) return failed(path, tooLarge(source.size));
  const measure = await file.measure();
  if (measure === null) return unsupported(path, notText(describeBinary(await source.read(0, 4096))));
  const body =
    folded === true
      ? await foldMarkdown(source)
      : head != null
        ? await readHeadLines(source, head)
        : tail != null
          ? await readTailLines(source, tail, measure.lines)
          : await readAllLines(source);
  switch (body.kind) {
    case 'lines':
    case 'folded': {
      const { revision, lines: totalLines, tokens } = measure;
      const keep = tail == null ? 'start' : 'end';
      // With a budget above the limit, the file is read only up to the limit, and the rest is reported as omitted.
      const isBeyond = (head ?? tail ?? 0) * 4 > maxTextBytes && totalLines > 0;
      const requested = isBeyond ? { requested: { start: 1, end: totalLines } } : {};
      return {
        kind: 'text',
        block: { path, revision, totalLines, tokens, body, keep, isRange: false, extracted, ...requested },
      };
    }
    case 'not-text':
      return unsupported(path, notText(body.description));
    case 'line-too-long': {
      const line = head == null ? measure.lines : 1;
      const size = `line ${line} is ${formatBytes(body.bytes)}, over the budget and over 64 kB`;
      return failed(path, `${size}; request other lines or open the file in an editor`);
    }
    case 'too-large':
      return failed(path, tooLarge(body.bytes));
    case 'too-many-headings':
      return failed(path, 'it has too many headings for folded; use head or tail, or request a line range');
  }
}

const tooLarge = (bytes: number): string =>
  `it is ${formatBytes(bytes)}, over 20 MB; use head, tail or folded, or request a line range`;
const notText = (what: string): string =>
  `it is ${what}, and only UTF-8 text, documents and images can be read`;

const maxImageBytes = 5_000_000;
const maxImageEdgePx = 8_000;

/** Type and size are determined from the content; the name only says that an image is expected. */
async function readImage({ path, source }: ViewFile): Promise<Part> {
  const header = readImageHeader(await source.read(0, maxImageHeaderBytes));
  if (header === null) return unsupported(path, notAnImageMessage);
  const { format, width, height } = header;
  if (source.size > maxImageBytes)
    return unsupported(path, `the image is ${formatBytes(source.size)}, over 5 MB; make it smaller`);
  if (Math.max(width, height) > maxImageEdgePx)
    return unsupported(
      path,
      `the image is ${width}×${height}, over ${maxImageEdgePx} pixels; make it smaller`,
    );
  const data = await source.read(0, source.size);
  const displayPath = formatPath(path);
  const mediaType = `image/${format}`;
  return {
    kind: 'image',
    image: { path: displayPath, mediaType, data },
    metadata: {
      path: displayPath,
      revision: computeRevision(data),
      mediaType,
      width,
      height,
      bytes: data.length,
    },
    caption: formatImageLine(path, header),
  };
}

function describe(block: TextBlock): ReadValue['files'][number] {
  const { path, revision, totalLines, tokens, body } = block;
  const lines = shownLines(body);
  return { path: formatPath(path), revision, lines, totalLines, tokens, ...toExtractedValue(block) };
}

function shownLines(body: TextBlock['body']): { start: number; end: number } | null {
  if (body.kind !== 'lines' || body.lines.length === 0) return null;
  return { start: body.first, end: body.first + body.lines.length - 1 };
}

function failed(path: VaultPath, message: string): Part {
  return { kind: 'error', error: { path: formatPath(path), message } };
}

function unsupported(path: VaultPath, message: string): Part {
  return { kind: 'unsupported', error: { path: formatPath(path), message } };
}
