import { readFileSync } from 'node:fs';
import { YAMLParseError, parse } from 'yaml';
import { z } from 'zod';
import { AppError } from '../../../vault/src/app/index.ts';

/** A file of this shape; one that is not throws with its name and what is wrong. */
export function readYaml<Shape extends z.ZodType>(file: string, shape: Shape): z.infer<Shape> {
  const parsed = shape.safeParse(parseFile(file));
  if (!parsed.success)
    throw new AppError('bad-input', `${file}: ${z.prettifyError(parsed.error)}`, { cause: parsed.error });
  return parsed.data;
}

function parseFile(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof YAMLParseError)
      throw new AppError('bad-input', `${file}: ${error.message}`, { cause: error });
    throw error;
  }
}
