import { expect, it } from 'vitest';
import type { UpdateInput } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { textToCover } from './complete-update.ts';
import type { UpdateJob } from './update-job.ts';
import { tidyingSource } from './update-job.ts';

const textOf = (source: UpdateInput['source']): string => {
  const job = { input: { text: 'The task is done.', files: [], source }, inputText: 'The task is done.' };
  return textToCover({ ...job, answered: null } as unknown as UpdateJob, {} as WriteRun, null).toCover;
};

it('the sentences of an input must be found, but not those of an instruction of tidying', () => {
  expect(textOf({ kind: 'person', name: 'cli' })).toBe('The task is done.');
  expect(textOf({ kind: 'person', name: tidyingSource })).toBe('');
  expect(textOf({ kind: 'other', name: tidyingSource })).toBe('The task is done.');
});
