import { expect, it } from 'vitest';
import { formatReceipt } from './format-receipt.ts';
import type { Receipt } from './updates.ts';

const file = { unit: 'task' as const, added: [], removed: [], linesAdded: 0, linesRemoved: 0 };
const receipt: Receipt = {
  files: [
    {
      ...file,
      path: 'vault/tasks.md',
      change: 'changed',
      added: ['Buy coffee'],
      removed: Array.from({ length: 9 }, (_, index) => `Task ${index + 1}`),
    },
    { ...file, path: 'vault/state.md', change: 'changed', linesAdded: 2, linesRemoved: 1 },
    {
      ...file,
      path: 'vault/changelog.md',
      change: 'changed',
      unit: 'entry',
      added: ['Coffee'],
      linesAdded: 3,
    },
    {
      ...file,
      path: 'vault/more.md',
      change: 'changed',
      added: ['Call Ines'],
      linesAdded: 2,
      linesRemoved: 1,
    },
    { ...file, path: 'vault/people/ines.md', change: 'created', linesAdded: 3 },
    { ...file, path: 'vault/old.md', change: 'deleted', linesRemoved: 3 },
    { ...file, path: 'vault/bucket/b.md', change: 'moved', from: 'vault/bucket/a.md' },
  ],
  keptAsReceived: ['vault/bucket/chat.md'],
  notFiled: ['Paul owes 75 €.'],
  leftOut: ['What a day.'],
  unsupported: [{ path: 'vault/people/ines.md', values: ['Dupont', '1990'] }],
  failedCalls: ['edit vault/state.md'],
};

it('a receipt lists every file with its tasks, entries and lines, and what the user should know', () => {
  expect(formatReceipt(receipt, 'en')).toEqual([
    'vault/tasks.md: +1 task ("Buy coffee"), −9 tasks ("Task 1", "Task 2", "Task 3", "Task 4", "Task 5", …)',
    'vault/state.md: +2 −1 lines',
    'vault/changelog.md: +1 entry ("Coffee")',
    'vault/more.md: +1 task ("Call Ines"), +2 −1 lines',
    'vault/people/ines.md: created',
    'vault/old.md: deleted',
    'vault/bucket/b.md: moved from vault/bucket/a.md',
    'kept as received: vault/bucket/chat.md',
    'not filed, kept word for word in the changelog: "Paul owes 75 €."',
    'left out: "What a day."',
    'not in the input: "Dupont", "1990" (vault/people/ines.md)',
    'failed and not repeated: edit vault/state.md',
  ]);
});

it('a receipt is also available in French', () => {
  const [tasks] = formatReceipt(receipt, 'fr');
  expect(tasks).toContain('+1 tâche (« Buy coffee »), −9 tâches');
  expect(formatReceipt(receipt, 'fr')).toContain('laissé de côté : « What a day. »');
});
