import { contains } from './contains.ts';
import type { HostileDocument } from './document.ts';

export const hostileTables: HostileDocument[] = [
  {
    what: 'a table of one line of 5 MB',
    name: 'line.csv',
    make: () => Buffer.alloc(5_000_000, 'word '),
    ends: 'converted',
  },
  {
    what: 'a table of 100,000 columns',
    name: 'columns.csv',
    make: () => Buffer.from(`${'a,'.repeat(100_000)}\n${'1,'.repeat(100_000)}\n`),
    ends: 'converted',
  },
  {
    what: 'a table with a quote that never closes',
    name: 'quote.csv',
    make: () => Buffer.from(`name,value\none,"two\n${'three,four\n'.repeat(300_000)}`),
    ends: 'converted',
  },
  {
    what: 'a table of 200,000 rows',
    name: 'rows.csv',
    make: () => Buffer.from(`name,value\n${'one,two\n'.repeat(200_000)}`),
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
