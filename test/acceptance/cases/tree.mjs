import { files } from './vault.mjs';

export const cases = [
  {
    name: 'a folder: name, tokens, date',
    files,
    call: 'tree',
    input: { path: 'vault/projects/startup-x/', depth: 1 },
    text: [
      /^vault\/projects\/startup-x\/ +\[\d+(\.\d)?k? · \d{4}-\d\d-\d\d \d\d:\d\d\]$/m,
      /^├── changelog\.md +\[\d+ · \d{4}-\d\d-\d\d \d\d:\d\d\]$/m,
      /^(├|└)── bucket\/ +\[\d+ · /m,
      /… 1 file\b/,
    ],
  },
  {
    name: 'depth 0 is the folder alone',
    files,
    call: 'tree',
    input: { path: 'vault/', depth: 0 },
    text: /^vault\/ +\[[^\]]+\]\s*$/,
  },
  {
    name: 'a file gives its line',
    files,
    call: 'tree',
    input: { path: 'tasks.md', depth: null },
    text: /^(vault\/)?tasks\.md +\[\d+ · [^\]]+\]\s*$/,
  },
  {
    name: 'an empty folder',
    files,
    call: 'tree',
    input: { path: 'vault/bucket/', depth: 1 },
    text: /\[0 · —\]/,
  },
  {
    name: 'a missing path is an explicit error',
    files,
    call: 'tree',
    input: { path: 'vault/projects/nope/', depth: 1 },
    exit: 1,
    text: /vault\/projects\/nope\//,
  },
  {
    name: 'no depth unfolds everything',
    files,
    call: 'tree',
    input: { path: 'vault/', depth: null },
    text: ['email-specs.md', 'description.md'],
  },
];
