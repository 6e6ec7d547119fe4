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

/** What a call came to: `refused` has left the file as it was. */
type Ending = 'written' | 'refused';
/** What one call needs: the file it is about, and calls that share a run. */
type Scene = {
  path: string;
  put(text: string): void;
  file(): string | null;
  call(tool: string, input: object): Promise<{ isDone: boolean; text: string }>;
};

/**
 * So many calls of `edit`, `write` and `append` with any bytes and with text that looks like Keepsake's own format: written as
 * given, or refused with the reason and nothing changed. The same seed gives the same calls.
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
  // Refusing everything would keep every promise, too.
  const missing = ['write', 'append', 'edit', 'edit-part', 'bytes'].filter(
    (kind) => !endings.has(`${kind} written`) || !endings.has(`${kind} refused`),
  );
  if (missing.length > 0) console.log(`FAILED: not both written and refused: ${missing.join(', ')}`);
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
  const { isDone, text } = await scene.call('write', { path: scene.path, content });
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
  // For `.`, `^` and `$` more than `\n` ends a line.
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

/** The markers of a generated text as numbers of lines from `first` on. */
function numbersIn(text: string, first: number): string {
  return text.replaceAll(/%(-?\d+)/g, (_, offset) => `${Math.max(0, first + Number(offset))}`);
}

/** Part of a line without numbers: replaced at that place, or refused where that place is not the only one. */
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
  must(part !== '' && !isUnstorable(part) && !isUnstorable(replacement), 'it is written though it cannot be');
  // What looks like a numbered line may also be one.
  const [, number, rest = ''] = /^\s*(\d+)\s*\|(?: (.*))?$/s.exec(part) ?? [];
  const isLine = number !== undefined && shown(lines[Number(number) - 1]?.line ?? '\0') === rest;
  const asLine = isLine ? edited(present, Number(number), Number(number), replacement) : null;
  return writtenAs(isDone, text, scene, [asLine ?? partEdited(present, at, part, replacement)]);
}

/** From one whole character of a line to another; also half a character, which is no text. */
function partOf(line: string, from: number, to: number): { start: number; part: string } {
  const cut = line.slice(from, to);
  if (isUnstorable(cut)) return { start: from, part: cut };
  const bounds = [...new Intl.Segmenter().segment(line)].map(({ index }) => index).concat(line.length);
  const [start = 0, end = 0] = [from, to]
    .map((at) => bounds[at % bounds.length] ?? 0)
    .toSorted((a, b) => a - b);
  return { start, part: line.slice(start, end) };
}

/** As commands take bytes from standard input. */
async function checkBytes({ bytes, isPlainLatin }: Of<'bytes'>, scene: Scene): Promise<Ending> {
  const expected = meant(bytes);
  const decoded = decodeInput(bytes);
  if (decoded.kind === 'not-text') {
    must(decoded.what !== '' && !isPlainLatin, `it is refused as ${decoded.what}`);
    must(expected === null || expected.isGuess, 'UTF-8 is refused');
    return 'refused';
  }
  must(expected !== null, 'what is no text is taken for one');
  must(decoded.text === expected?.text, `it was read as ${JSON.stringify(decoded.text)}`);
  must((decoded.note !== null) === expected?.isGuess, `the note is ${decoded.note}`);
  const { isDone, text } = await scene.call('write', { path: scene.path, content: decoded.text });
  return writtenAs(isDone, text, scene, [expected?.text ?? '']);
}

function refusedAs(isDone: boolean, text: string, scene: Scene, present: string | null): Ending {
  must(!isDone, `it is not refused: ${text}; the file is ${JSON.stringify(scene.file())}`);
  must(text.trim() !== '', 'it is refused without a reason');
  must(scene.file() === present, `it is refused, but the file is ${JSON.stringify(scene.file())}`);
  return 'refused';
}

function writtenAs(isDone: boolean, text: string, scene: Scene, expected: readonly string[]): Ending {
  must(isDone, `it is refused: ${text}`);
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
