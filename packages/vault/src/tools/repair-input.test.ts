import { expect, it } from 'vitest';
import { z } from 'zod';
import { repairInput } from './repair-input.ts';

it('an input that is nested too deeply to be copied is not repaired', () => {
  const depth = 900_000;
  const input = { paths: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown };
  const { error } = z.object({ paths: z.array(z.string()) }).safeParse(input);
  expect(repairInput(input, error?.issues ?? [])).toBeUndefined();
});
