import { expect, it } from 'vitest';
import { tasksIn } from './tasks.ts';

it('a task is a heading with the lines of metadata below it, in either language', () => {
  const text = [
    '---',
    'updated: 2025-07-14T10:00:00',
    '---',
    '',
    'Live tasks.',
    '',
    '# Call the roofer',
    'status: done | prio: high',
    'deadline: 2026-06-01',
    '',
    '# Payer',
    'statut: en-cours | prio: haute | échéance: 2026-06-20',
    '',
    'Note: it is dear.',
    '',
    '',
    '# Paint',
    '',
  ].join('\n');
  expect(tasksIn(text)).toEqual([
    {
      line: '# Call the roofer',
      number: 7,
      title: 'Call the roofer',
      facts: ['status: done | prio: high', 'deadline: 2026-06-01'],
      isOpen: false,
      rank: 0,
      deadline: '2026-06-01',
    },
    {
      line: '# Payer',
      number: 11,
      title: 'Payer',
      facts: ['statut: en-cours | prio: haute | échéance: 2026-06-20'],
      isOpen: true,
      rank: 0,
      deadline: '2026-06-20',
    },
    { line: '# Paint', number: 17, title: 'Paint', facts: [], isOpen: true, rank: 2, deadline: null },
  ]);
  expect(tasksIn('')).toEqual([]);
});
