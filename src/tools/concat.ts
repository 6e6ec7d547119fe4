import { z } from 'zod';
import { concatValue } from '../contract/index.ts';
import type { ConcatValue, PathError } from '../contract/index.ts';
import {
  count,
  describeBinary,
  imageLine,
  largestText,
  notAnImage,
  parseLineRange,
  rangeLines,
  readImageHeader,
  revisionOf,
  showBytes,
  showInput,
  showPath,
  wholeLines,
} from '../vault/index.ts';
import type { LineRange, VaultPath, VaultView, ViewedFile } from '../vault/index.ts';
import { startAssembly } from './assembly.ts';
import type { TextBlock } from './assembly.ts';
import { defineReadTool } from './define-tool.ts';
import { explainMissing, namePath } from './name-path.ts';
import type { ExplainMissing } from './name-path.ts';

const input = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().describe('A file in the vault'),
        lines: z
          .string()
          .nullish()
          .describe('The lines to include, as "9-14"; leave it out for the whole file'),
      }),
    )
    .describe('What to assemble, in the order of the result'),
});

type Wanted = z.output<typeof input>['files'][number];
type Outcome = { ok: true; block: TextBlock } | { ok: false; error: PathError };

export const concat = defineReadTool({
  name: 'concat',
  description: [
    'Assembles files, or ranges of their lines, word for word into one document: one block each, in the order',
    'given, every line with its number in the file. Example: {"files": [{"path": "vault/tasks.md"},',
    '{"path": "vault/projects/startup-x/changelog.md", "lines": "9-14"}]}',
  ].join(' '),
  input,
  output: concatValue,
  async run({ files }, run) {
    const assembly = startAssembly(run.bounds);
    const missing = explainMissing(run.view);
    for (const wanted of files) {
      const named = namePath(wanted.path);
      if (named.ok && assembly.isFull()) {
        assembly.leaveOut(named.shown);
        continue;
      }
      const outcome = named.ok ? await assemble(named, wanted, run.view, missing) : named;
      if (outcome.ok) assembly.addBlock(outcome.block);
      else assembly.addError(outcome.error);
    }
    const { text, blocks, errors, leftOut } = assembly.finish('Ask for the missing lines in another call.');
    return { text, images: [], value: { blocks: blocks.map(describe), errors, leftOut } };
  },
});

async function assemble(
  named: { path: VaultPath; shown: string },
  { lines }: Wanted,
  view: VaultView,
  missing: ExplainMissing,
): Promise<Outcome> {
  const failed = (message: string): Outcome => ({ ok: false, error: { path: named.shown, message } });
  const parsed = lines == null || lines.trim() === '' ? null : parseLineRange(lines);
  if (parsed?.ok === false) return failed(`"${showInput(lines ?? '')}" ${parsed.reason}`);
  return view.look(named.path, async (viewed): Promise<Outcome> => {
    switch (viewed.kind) {
      case 'file': {
        const block = await takeLines(viewed, parsed?.range ?? null);
        return typeof block === 'string' ? failed(block) : { ok: true, block };
      }
      case 'folder':
        return failed('it is a folder; name its files one by one');
      case 'missing':
        return { ok: false, error: await missing(named) };
      case 'refused':
        return failed(viewed.reason);
    }
  });
}

/** The block of a file, or why there is none. */
async function takeLines(file: ViewedFile, range: LineRange | null): Promise<TextBlock | string> {
  const { path, source } = file;
  if (file.fileKind === 'image') return nameImage(file, range);
  if (range === null && source.size > largestText) return tooLarge(source.size);
  const measure = await file.measure();
  if (measure === null)
    return `it is ${describeBinary(await source.read(0, 4096))}; only text and images can be assembled`;
  const { revision, lines: totalLines, tokens } = measure;
  if (range !== null && range.start > totalLines)
    return `it has only ${count(totalLines, 'line')}; lines ${range.start}-${range.end} do not exist`;
  const body = range === null ? await wholeLines(source) : await rangeLines(source, range.start, range.end);
  if (body.kind === 'too-large') return `these lines are ${showBytes(body.bytes)}, over 20 MB; name fewer`;
  if (body.kind !== 'lines') return 'it changed while it was being read; try again';
  return { path, revision, totalLines, tokens, body, keep: 'start', isRange: range !== null };
}

/** An image is cited by the one line that names it. */
async function nameImage({ path, source }: ViewedFile, range: LineRange | null): Promise<TextBlock | string> {
  if (source.size > largestText) return `the image is ${showBytes(source.size)}, over 20 MB`;
  const bytes = await source.read(0, source.size);
  const header = readImageHeader(bytes);
  if (header === null) return notAnImage;
  if (range !== null && range.start > 1) return 'it is an image; leave out its lines';
  const line = imageLine(path, header);
  const body: TextBlock['body'] = { kind: 'lines', first: 1, lines: [line] };
  const tokens = Math.ceil(line.length / 4);
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

const tooLarge = (bytes: number): string => `it is ${showBytes(bytes)}, over 20 MB; name a range of lines`;

function describe({ path, revision, body }: TextBlock): ConcatValue['blocks'][number] {
  const [start, lines] = body.kind === 'lines' ? [body.first, body.lines.length] : [1, 0];
  return { path: showPath(path), start, end: start + lines - 1, revision };
}
