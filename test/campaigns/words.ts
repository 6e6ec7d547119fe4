import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { decodeInput } from '../../packages/vault/src/vault/index.ts';
import { Place } from './scenario.ts';
import { wordsCase } from './words-cases.ts';
import type { OldForm, WordsCase } from './words-cases.ts';
import { appended, edited, holds, isUnstorable, linesOf, meant, partEdited, shown } from './words-oracle.ts';

/** The outcome of a call; `refused` left the file unchanged. */
type Ending = 'written' | 'refused';
/** The context of one call: its file, and calls that share a run. */
type Scene = {
  path: string;
  put(text: string): void;
  file(): string | null;
  call(tool: string, input: object): Promise<{ isDone: boolean; text: string }>;
};

/**
 * Calls `edit`, `write` and `append` with arbitrary bytes and with text that looks like Keepsake's own format. Each is written exactly as given,
 * or rejected with a reason and without a change. The same seed gives the same calls.
 */
export async function wordsCampaign(count: number): Promise<number> {
  const seed = Number(process.env['SEED'] ?? 7);
  const place = new Place();
  mkdirSync(place.vault);
  const { vault, state } = place;
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  const endings = new Map<string, number>();
  const problems: string[] = [];
  const started = performance.now();
  try {
    for (const [index, each] of fc.sample(wordsCase, { numRuns: count, seed }).entries()) {
      try {
        const ending = `${each.kind} ${await check(each, sceneOf(keepsake, vault, index))}`;
        endings.set(ending, (endings.get(ending) ?? 0) + 1);
      } catch (error) {
        problems.push(`${index}: ${(error as Error).message}\n${JSON.stringify(each, readable)}`);
      }
    }
  } finally {
    await keepsake.close();
    place.remove();
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  const tally = [...endings]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([ending, times]) => `${ending} ${times}`);
  console.log(`words: seed ${seed}, ${count} calls in ${seconds} s (${tally.join(', ')})`);
  for (const problem of problems.slice(0, 20)) console.log(`FAILED: ${problem}`);
  // Rejecting everything would also satisfy all checks.
  const missing = ['write', 'append', 'edit', 'edit-part', 'bytes'].filter(
    (kind) => !endings.has(`${kind} written`) || !endings.has(`${kind} refused`),
  );
  if (missing.length > 0) console.log(`FAILED: not both written and rejected: ${missing.join(', ')}`);
  return problems.length + missing.length;
}

function readable(_key: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  return type === 'Buffer' ? Buffer.from(data as number[]).toString('hex') : value;
}

function sceneOf({ callTool }: Keepsake, vault: string, index: number): Scene {
  const path = `n${index % 100}/${index}.md`;
  const whole = join(vault, path);
  return {
    path,
    put(text) {
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, text);
    },
    file() {
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(whole));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async call(tool, input) {
      const call = {
        tool,
        input,
        reader: 'person',
        origin: 'words',
        run: `${index}`,
        isConfirmed: true,
      } as const;
      const outcome = await callTool(call);
      if (outcome.kind === 'refused') return { isDone: false, text: outcome.message };
      return { isDone: outcome.result.value.errors.length === 0, text: outcome.result.text };
    },
  };
}

async function check(each: WordsCase, scene: Scene): Promise<Ending> {
  switch (each.kind) {
    case 'write':
      return checkWrite(each, scene);
    case 'append':
      return checkAppend(each, scene);
    case 'edit':
      return checkEdit(each, scene);
    case 'edit-part':
      return checkPart(each, scene);
    case 'bytes':
      return checkBytes(each, scene);
  }
}

type Of<Kind extends WordsCase['kind']> = Extract<WordsCase, { kind: Kind }>;

async function checkWrite({ content, present }: Of<'write'>, scene: Scene): Promise<Ending> {
  if (present !== null) {
    scene.put(present);
    await scene.call('read', { paths: scene.path });
  }
  const { isDone, text } = await scene.call('write', { path: scene.path, content, replace: true });
  if (isUnstorable(content)) return refusedAs(isDone, text, scene, present);
  return writtenAs(isDone, text, scene, [content]);
}

async function checkAppend({ present, content, position }: Of<'append'>, scene: Scene): Promise<Ending> {
  scene.put(present);
  const { isDone, text } = await scene.call('append', { path: scene.path, content, position });
  const isEmpty = /^[\r\n]*$/.test(content);
  if (isUnstorable(content) || isEmpty) return refusedAs(isDone, text, scene, present);
  return writtenAs(isDone, text, scene, appended(present, content, position));
}

async function checkEdit(each: Of<'edit'>, scene: Scene): Promise<Ending> {
  const { present } = each;
  scene.put(present);
  const { text: read } = await scene.call('read', { paths: scene.path });
  const lines = linesOf(present);
  // For `.`, `^` and `$`, characters other than `\n` also end a line.
  const rows = read
    .split('\n')
    .flatMap((row) => [/^(\d+) *\|(?: (.*))?$/s.exec(row) ?? []].filter((found) => found.length > 0));
  must(
    rows.length === lines.length &&
      rows.every((row, index) => (row[2] ?? '') === shown(lines[index]?.line ?? '')),
    `read does not show the lines: ${read}`,
  );
  if (lines.length === 0) return refusedAs(false, 'there are no lines', scene, present);
  const from = (each.from % lines.length) + 1;
  const to = Math.min(lines.length, from + each.count - 1);
  const old = rows
    .slice(from - 1, to)
    .map(([row = '', number = '', line]) => typed(each.form, row, number, line))
    .join('\n');
  const replacement = numbersIn(each.replacement, from);
  const { isDone, text } = await scene.call('edit', { path: scene.path, old, new: replacement });
  const expected = isUnstorable(replacement) ? null : edited(present, from, to, replacement);
  if (expected === null) return refusedAs(isDone, text, scene, present);
  return writtenAs(isDone, text, scene, [expected]);
}

function typed(form: OldForm, row: string, number: string, line: string | undefined): string {
  if (form === 'narrow') return `${number} |${line === undefined ? '' : ` ${line}`}`;
  return form === 'shown' ? row : row.normalize(form);
}

/** Replaces the markers in a generated text with line numbers relative to `first`. */
function numbersIn(text: string, first: number): string {
  return text.replaceAll(/%(-?\d+)/g, (_, offset) => `${Math.max(0, first + Number(offset))}`);
}

/** Edits a part of a line without numbers: it is replaced in place, or rejected when it is not unique. */
async function checkPart(each: Of<'edit-part'>, scene: Scene): Promise<Ending> {
  const { present } = each;
  scene.put(present);
  await scene.call('read', { paths: scene.path });
  const lines = linesOf(present);
  const index = each.line % Math.max(1, lines.length);
  const { start, part } = partOf(lines[index]?.line ?? '', each.start, each.end);
  const before = lines.slice(0, index).reduce((sum, other) => sum + other.line.length + other.end.length, 0);
  const at = (present.startsWith('\ufeff') ? 1 : 0) + before + start;
  const replacement = numbersIn(each.replacement, index + 1);
  const { isDone, text } = await scene.call('edit', { path: scene.path, old: part, new: replacement });
  if (!isDone) return refusedAs(isDone, text, scene, present);
  must(
    part !== '' && !isUnstorable(part) && !isUnstorable(replacement),
    'it was written although it cannot be stored',
  );
  // Text that looks like a numbered line may be one.
  const [, number, rest = ''] = /^\s*(\d+)\s*\|(?: (.*))?$/s.exec(part) ?? [];
  const isLine = number !== undefined && shown(lines[Number(number) - 1]?.line ?? '\0') === rest;
  const asLine = isLine ? edited(present, Number(number), Number(number), replacement) : null;
  return writtenAs(isDone, text, scene, [asLine ?? partEdited(present, at, part, replacement)]);
}

/**
 * A part of a line that contains only whole characters; or exactly `from` to `to` if that cannot be stored, such as
 * half a surrogate pair.
 */
function partOf(line: string, from: number, to: number): { start: number; part: string } {
  const cut = line.slice(from, to);
  if (isUnstorable(cut)) return { start: from, part: cut };
  const bounds = [...new Intl.Segmenter().segment(line)].map(({ index }) => index).concat(line.length);
  const [start = 0, end = 0] = [from, to]
    .map((at) => bounds[at % bounds.length] ?? 0)
    .toSorted((a, b) => a - b);
  return { start, part: line.slice(start, end) };
}

/** Decodes bytes as commands do with standard input. */
async function checkBytes({ bytes, isPlainLatin }: Of<'bytes'>, scene: Scene): Promise<Ending> {
  const expected = meant(bytes);
  const decoded = decodeInput(bytes);
  if (decoded.kind === 'not-text') {
    must(decoded.description !== '' && !isPlainLatin, `it was rejected as ${decoded.description}`);
    must(expected === null || expected.isGuess, 'UTF-8 was rejected');
    return 'refused';
  }
  must(expected !== null, 'binary data was accepted as text');
  must(decoded.text === expected?.text, `it was read as ${JSON.stringify(decoded.text)}`);
  must((decoded.note !== null) === expected?.isGuess, `the note is ${decoded.note}`);
  const { isDone, text } = await scene.call('write', {
    path: scene.path,
    content: decoded.text,
    replace: true,
  });
  return writtenAs(isDone, text, scene, [expected?.text ?? '']);
}

function refusedAs(isDone: boolean, text: string, scene: Scene, present: string | null): Ending {
  must(!isDone, `it was not rejected: ${text}; the file is ${JSON.stringify(scene.file())}`);
  must(text.trim() !== '', 'it was rejected without a reason');
  must(scene.file() === present, `it was rejected, but the file is ${JSON.stringify(scene.file())}`);
  return 'refused';
}

function writtenAs(isDone: boolean, text: string, scene: Scene, expected: readonly string[]): Ending {
  must(isDone, `it was rejected: ${text}`);
  const file = scene.file();
  must(
    file !== null && expected.some((each) => holds(file, each)),
    `the file is ${JSON.stringify(file)}, expected ${JSON.stringify(expected[0])}`,
  );
  return 'written';
}

function must(isRight: boolean, problem: string): void {
  if (!isRight) throw new Error(problem);
}
