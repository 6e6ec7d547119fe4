import { contains } from './contains.ts';
import { hurry, overLimits } from './document.ts';
import type { HostileDocument } from './document.ts';

export const hostileTables: HostileDocument[] = [
  {
    what: 'a table of one line of 15 MB',
    name: 'line.csv',
    make: () => Buffer.alloc(15_000_000, 'word '),
    ends: [...overLimits, 'converted'],
    limits: hurry,
  },
  {
    what: 'a table of 300,000 columns',
    name: 'columns.csv',
    make: () => Buffer.from(`${'a,'.repeat(300_000)}\n${'1,'.repeat(300_000)}\n`),
    ends: 'converted',
  },
  {
    what: 'a table with a quote that never closes',
    name: 'quote.csv',
    make: () => Buffer.from(`name,value\none,"two\n${'three,four\n'.repeat(1_000_000)}`),
    ends: 'converted',
  },
  {
    what: 'a table of a million rows',
    name: 'rows.csv',
    make: () => Buffer.from(`name,value\n${'one,two\n'.repeat(1_000_000)}`),
    ends: 'converted',
    check: contains('| one | two |'),
  },
  {
    what: 'a table of quotes only',
    name: 'quotes.csv',
    make: () => Buffer.alloc(5_000_000, '"'),
    ends: 'converted',
  },
];
