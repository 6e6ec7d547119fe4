// A path may carry lines, so that the middle of a long file can be read; a file of that very name wins.
const numbered = Array.from({ length: 400 }, (_, index) => `line number ${index + 1}`).join('\n') + '\n';
const files = { 'projects/p/long.md': numbered };
export const cases = [
  {
    name: 'a range in a path reads those lines, numbered as in the file',
    files,
    call: 'read',
    input: { paths: 'vault/projects/p/long.md:120-122' },
    text: [
      '120 | line number 120',
      '122 | line number 122',
      /^(?![\s\S]*line number 123)/,
      /^(?![\s\S]*line number 119)/,
    ],
  },
  {
    name: 'an open range reads to the end',
    files,
    call: 'read',
    input: { paths: 'projects/p/long.md:399-' },
    text: ['399 | line number 399', '400 | line number 400'],
  },
  {
    name: 'a file of that very name wins',
    skipped: process.platform === 'win32' && 'names on Windows have no colon',
    files: { ...files, 'bucket/odd.md:2-3.md': 'odd name\n' },
    call: 'read',
    input: { paths: 'bucket/odd.md:2-3.md' },
    text: ['odd name'],
  },
  {
    name: 'several ranges of one file are several blocks',
    files,
    call: 'read',
    input: { paths: ['projects/p/long.md:1-2', 'projects/p/long.md:10-11'] },
    text: ['1  | line number 1', '10 | line number 10'],
  },
  {
    name: 'a range beyond the end says how long the file is',
    files,
    call: 'read',
    input: { paths: 'projects/p/long.md:500-510' },
    text: [/400/],
    exit: 1,
  },
  {
    name: 'lines that were read as a range can be edited',
    files,
    steps: [
      {
        batch: [
          { tool: 'read', input: { paths: 'projects/p/long.md:200-205' } },
          {
            tool: 'edit',
            input: { path: 'projects/p/long.md', old: '201 | line number 201', new: 'changed' },
          },
        ],
        results: [{ ok: true }],
      },
    ],
  },
];
