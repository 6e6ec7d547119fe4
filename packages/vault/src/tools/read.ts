import { z } from 'zod';
import { readValue } from '../contract/index.ts';
import type { PathError, ReadValue } from '../contract/index.ts';
import {
  describeBinary,
  foldSource,
  headLines,
  imageHeaderBytes,
  imageLine,
  largestText,
  notAnImage,
  readImageHeader,
  revisionOf,
  showBytes,
  showPath,
  tailLines,
  wholeLines,
} from '../vault/index.ts';
import type { LineRange, VaultPath, VaultView, ViewedFile } from '../vault/index.ts';
import { noteBlock, startAssembly } from './assembly.ts';
import type { TextBlock } from './assembly.ts';
import { defineReadTool } from './define-tool.ts';
import type { ImagePart } from './define-tool.ts';
import { explainMissing, nameLines } from './name-path.ts';
import type { ExplainMissing } from './name-path.ts';
import { imageHasNoLines, showRange, takeRange } from './take-range.ts';

const budget = (end: string) =>
  z
    .int()
    .positive({ error: 'must be at least 1; leave it out to read everything' })
    .nullish()
    .describe(`About how many tokens to return from the ${end} of each file, in whole lines`);

const input = z
  .strictObject({
    paths: z
      .union([z.string(), z.array(z.string()).min(1)], {
        error: 'name a file or folder, or a list of at least one',
      })
      .describe(
        'A file, a folder (its direct files), or a list of them; a file may carry lines, as vault/x.md:120-260',
      ),
    head: budget('start'),
    tail: budget('end'),
    folded: z
      .boolean()
      .nullish()
      .describe('Only frontmatter and H1/H2 headings, with the size of what is under each'),
  })
  .refine(({ head, tail }) => head == null || tail == null, {
    error: 'head and tail cannot be used together; pass one of them',
  })
  .refine(({ head, tail, folded }) => folded !== true || (head == null && tail == null), {
    error: 'folded cannot be used with head or tail',
  });

type Options = z.output<typeof input>;

export const read = defineReadTool({
  name: 'read',
  title: 'Read files',
  description: [
    'Reads files, or the direct files of folders, with a number before each line. The numbers are those of the',
    'whole file, for concat and edit. Images are loaded as images. A path may carry lines: vault/x.md:120-260, or',
    ':120- to the end. Use head or tail for a large file, or folded to see its headings first. Example:',
    '{"paths": ["vault/projects/startup-x/", "vault/tasks.md"], "head": 2000}',
  ].join(' '),
  input,
  output: readValue,
  async run(options, run) {
    const assembly = startAssembly(run.bounds);
    const missing = explainMissing(run);
    const images: ReadValue['images'] = [];
    const add = (part: Part): void => {
      if (part.kind === 'error' || part.kind === 'unsupported') assembly.addError(part.error);
      if (part.kind === 'image' && assembly.addImage(part.image, part.announcement)) images.push(part.facts);
      if (part.kind === 'text') assembly.addBlock(part.block);
    };

    /** Nobody asked for this file by name, and an original beside its note is no mistake. */
    const addFromFolder = (part: Part): void => {
      if (part.kind === 'unsupported') assembly.addNote(`${part.error.path}: ${part.error.message}`);
      else add(part);
    };

    for (const path of [options.paths].flat()) {
      const named = await nameLines(path, run.view);
      if (!named.ok) assembly.addError(named.error);
      else if (assembly.isFull()) assembly.leaveOut(named.shown, named.range && showRange(named.range));
      else {
        const part = await readPath(named, options, run.view, missing);
        add(part);
        if (part.kind !== 'folder') continue;
        if (part.files.length === 0) assembly.addEmptyFolder(named.path);
        for (const file of part.files) {
          const direct = { path: file, shown: showPath(file), range: null };
          if (assembly.isFull()) assembly.leaveOut(direct.shown, null);
          else addFromFolder(await readPath(direct, options, run.view, missing));
        }
      }
    }

    const { text, images: parts, blocks, errors, notes, leftOut } = assembly.finish();
    for (const block of blocks) noteBlock(run.shown, block);
    return { text, images: parts, value: { files: blocks.map(describe), images, errors, notes, leftOut } };
  },
});

/** What a path gives: text, an image, the files to read instead of the folder, or an error; `unsupported` for its kind of file. */
type Part =
  | { kind: 'text'; block: TextBlock }
  | { kind: 'image'; image: ImagePart; facts: ReadValue['images'][number]; announcement: string }
  | { kind: 'folder'; files: VaultPath[] }
  | { kind: 'error' | 'unsupported'; error: PathError };

type Named = { path: VaultPath; shown: string; range: LineRange | null };

function readPath(named: Named, options: Options, view: VaultView, missing: ExplainMissing): Promise<Part> {
  const { path, range } = named;
  return view.look(path, async (viewed): Promise<Part> => {
    switch (viewed.kind) {
      case 'file':
        if (range !== null) return readRange(viewed, range);
        return viewed.fileKind === 'image' ? readImage(viewed) : readText(viewed, options);
      case 'folder':
        return range === null
          ? viewed
          : { kind: 'error', error: { path: named.shown, message: 'it is a folder and has no lines' } };
      case 'missing':
        return { kind: 'error', error: await missing(named) };
      case 'refused':
        return failed(path, viewed.reason);
    }
  });
}

/** The lines say what is wanted, so head, tail and folded do not count here. */
async function readRange(file: ViewedFile, range: LineRange): Promise<Part> {
  if (file.fileKind === 'image') return failed(file.path, imageHasNoLines);
  const block = await takeRange(file, range);
  return typeof block === 'string' ? failed(file.path, block) : { kind: 'text', block };
}

async function readText(file: ViewedFile, { head, tail, folded }: Options): Promise<Part> {
  const { path, source } = file;
  const isWhole = head == null && tail == null && folded !== true;
  // Said before measuring, which would read all of it.
  if (isWhole && source.size > largestText) return failed(path, tooLarge(source.size));
  const measure = await file.measure();
  if (measure === null) return unsupported(path, notText(describeBinary(await source.read(0, 4096))));
  const body =
    folded === true
      ? await foldSource(source)
      : head != null
        ? await headLines(source, head)
        : tail != null
          ? await tailLines(source, tail, measure.lines)
          : await wholeLines(source);
  switch (body.kind) {
    case 'lines':
    case 'folded': {
      const { revision, lines: totalLines, tokens } = measure;
      const keep = tail == null ? 'start' : 'end';
      // Of a larger budget only so much was looked at; the rest of the file is left out.
      const isBeyond = (head ?? tail ?? 0) * 4 > largestText && totalLines > 0;
      const asked = isBeyond ? { asked: { start: 1, end: totalLines } } : {};
      return {
        kind: 'text',
        block: { path, revision, totalLines, tokens, body, keep, isRange: false, ...asked },
      };
    }
    case 'not-text':
      return unsupported(path, notText(body.what));
    case 'line-too-long': {
      const line = head == null ? measure.lines : 1;
      const size = `line ${line} alone is ${showBytes(body.bytes)}, over the budget and over 64 kB`;
      return failed(path, `${size}; name other lines, or open it in an editor`);
    }
    case 'too-large':
      return failed(path, tooLarge(body.bytes));
    case 'too-many-headings':
      return failed(path, 'it has too many headings to show it folded; use head or tail, or name lines');
  }
}

const tooLarge = (bytes: number): string =>
  `it is ${showBytes(bytes)}, over 20 MB; use head, tail or folded, or name lines`;
const notText = (what: string): string => `it is ${what}, and only UTF-8 text and images can be read`;

const largestImage = 5_000_000;
const longestEdge = 8_000;

/** Type and size are judged by the bytes; the name only says that an image is expected. */
async function readImage({ path, source }: ViewedFile): Promise<Part> {
  const header = readImageHeader(await source.read(0, imageHeaderBytes));
  if (header === null) return unsupported(path, notAnImage);
  const { format, width, height } = header;
  if (source.size > largestImage)
    return unsupported(path, `the image is ${showBytes(source.size)}, over 5 MB; make it smaller`);
  if (Math.max(width, height) > longestEdge)
    return unsupported(path, `the image is ${width}×${height}, over ${longestEdge} pixels; make it smaller`);
  const data = await source.read(0, source.size);
  const shown = showPath(path);
  const mediaType = `image/${format}`;
  return {
    kind: 'image',
    image: { path: shown, mediaType, data },
    facts: { path: shown, revision: revisionOf(data), mediaType, width, height, bytes: data.length },
    announcement: imageLine(path, header),
  };
}

function describe({ path, revision, totalLines, tokens, body }: TextBlock): ReadValue['files'][number] {
  return { path: showPath(path), revision, lines: shownLines(body), totalLines, tokens };
}

function shownLines(body: TextBlock['body']): { start: number; end: number } | null {
  if (body.kind !== 'lines' || body.lines.length === 0) return null;
  return { start: body.first, end: body.first + body.lines.length - 1 };
}

function failed(path: VaultPath, message: string): Part {
  return { kind: 'error', error: { path: showPath(path), message } };
}

function unsupported(path: VaultPath, message: string): Part {
  return { kind: 'unsupported', error: { path: showPath(path), message } };
}
