import { expect, it } from 'vitest';
import { parseTasks } from './tasks.ts';

it('parseTasks parses tasks with metadata lines in English and French', () => {
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
  expect(parseTasks(text)).toEqual([
    {
      line: '# Call the roofer',
      lineNumber: 7,
      title: 'Call the roofer',
      metadataLines: ['status: done | prio: high', 'deadline: 2026-06-01'],
      isOpen: false,
      priority: 0,
      deadline: '2026-06-01',
    },
    {
      line: '# Payer',
      lineNumber: 11,
      title: 'Payer',
      metadataLines: ['statut: en-cours | prio: haute | échéance: 2026-06-20'],
      isOpen: true,
      priority: 0,
      deadline: '2026-06-20',
    },
    {
      line: '# Paint',
      lineNumber: 17,
      title: 'Paint',
      metadataLines: [],
      isOpen: true,
      priority: 2,
      deadline: null,
    },
  ]);
  expect(parseTasks('')).toEqual([]);
});
