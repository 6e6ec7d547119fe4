import { expect, it } from 'vitest';
import type { Update } from '../app/index.ts';
import { formatUpdateLine } from './format-update.ts';

const spent = { steps: 2, input: 12_000, cached: 0, written: 0, output: 345 };
const update = {
  id: '3f2c91aa-0000',
  acceptedAt: 0,
  state: 'done',
  result: null,
  decision: null,
  input: { text: 'We drop the API', files: [] },
} as unknown as Update;

it.each([
  ['nothing', null, ''],
  ['its cost', { ...spent, cost: 0.01234 }, '  · 0.0123'],
  ['its tokens when prices are unknown', { ...spent, cost: null }, '  · 12,345 tokens'],
])('ends the line of an update with %s', (_, used, end) => {
  expect(formatUpdateLine({ ...update, spent: used })).toMatch(new RegExp(`We drop the API${end}$`));
});
