import { readFileSync } from 'node:fs';
import { YAMLParseError, parse } from 'yaml';
import { z } from 'zod';
import { AppError } from '../../../vault/src/app/index.ts';

/** Reads a YAML file of this shape. Throws with the file name and the problem if it does not match. */
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
