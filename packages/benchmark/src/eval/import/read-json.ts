import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../../../vault/src/app/index.ts';
import { describeError } from '../../../../vault/src/contract/index.ts';

/** Reads a JSON file of this shape. Throws with the name of the file if it does not match. */
export function readJson<Shape extends z.ZodType>(file: string, shape: Shape): z.infer<Shape> {
  return parseShape(file, shape, readText(file));
}

/** Reads a JSON Lines file of this shape. */
export function readJsonLines<Shape extends z.ZodType>(file: string, shape: Shape): z.infer<Shape>[] {
  const lines = readText(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => parseShape(file, shape, line));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('bad-input', `cannot read ${file}: ${describeError(error)}`, {
      hint: 'download the data first, and unpack it (xz -d, unzip)',
      cause: error,
    });
  }
}

function parseShape<Shape extends z.ZodType>(file: string, shape: Shape, text: string): z.infer<Shape> {
  const parsed = z
    .string()
    .transform((json, context): unknown => {
      try {
        return JSON.parse(json);
      } catch {
        context.addIssue('not valid JSON');
        return z.NEVER;
      }
    })
    .pipe(shape)
    .safeParse(text);
  if (parsed.success) return parsed.data;
  throw new AppError(
    'bad-input',
    `${file} is not of the expected form: ${z.prettifyError(parsed.error).slice(0, 500)}`,
  );
}
