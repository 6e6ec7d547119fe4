import { expect, it } from 'vitest';
import { findDialect } from '../scripts/language.ts';

it('findDialect finds listed words in comments, strings and names', () => {
  const code = "// Whoever asks is told of it.\nconst mostFiles = 3;\nthrow new Error('mend it');\n";
  expect(findDialect('packages/vault/src/x.ts', code).map(({ line, text }) => [line, text])).toEqual([
    [1, 'Whoever'],
    [1, 'told of'],
    [2, 'mostFiles'],
    [3, 'mend'],
  ]);
});

it('findDialect accepts ordinary uses of listed words, and any wording in notes', () => {
  expect(findDialect('packages/vault/src/x.ts', '// It stands in for the mostCommon value.\n')).toEqual([]);
  expect(findDialect('packages/vault/demo/tasks.md', 'nobody came\n')).toEqual([]);
});
