import { changelog, files, state, tasks } from './vault.mjs';

const lines = (text) => text.replace(/\n$/, '').split('\n');
const numbered = (text, from, to) =>
  lines(text)
    .slice(from - 1, to)
    .map((line, i) => `${String(from + i).padEnd(2)} |${line === '' ? '' : ` ${line}`}`)
    .join('\n');
const block = (header, body) => `\`\`\`${header}\n${body}\n\`\`\``;
const statePath = 'vault/projects/startup-x/state.md';
const log = 'vault/projects/startup-x/changelog.md';

export const cases = [
  {
    name: 'files and ranges in the order given',
    files,
    call: 'concat',
    input: {
      files: [
        { path: statePath, lines: null },
        { path: log, lines: '9-14' },
        { path: 'vault/tasks.md', lines: null },
      ],
    },
    text: [
      block(statePath, numbered(state, 1, 14)),
      block(`${log} (lines 9-14)`, numbered(changelog, 9, 14)),
      block('vault/tasks.md', numbered(tasks, 1, 12)),
    ].join('\n\n'),
  },
  {
    name: 'a range keeps the numbers of the whole file',
    files,
    call: 'concat',
    input: { files: [{ path: log, lines: '9-11' }] },
    text: block(`${log} (lines 9-11)`, numbered(changelog, 9, 11)),
  },
  {
    name: 'lines may be left out',
    files,
    call: 'concat',
    input: { files: [{ path: 'tasks.md' }] },
    text: block('vault/tasks.md', numbered(tasks, 1, 12)),
  },
  {
    name: 'an empty range is the whole file',
    files,
    call: 'concat',
    input: { files: [{ path: 'tasks.md', lines: '' }] },
    text: block('vault/tasks.md', numbered(tasks, 1, 12)),
  },
  { name: 'nothing gives nothing', files, call: 'concat', input: { files: [] }, text: '' },
  {
    name: 'past the end is cut at the last line',
    files,
    call: 'concat',
    input: { files: [{ path: log, lines: '12-9999' }] },
    text: block(`${log} (lines 12-14)`, numbered(changelog, 12, 14)),
  },
  {
    name: 'a malformed range is an explicit error',
    files,
    call: 'concat',
    input: { files: [{ path: log, lines: 'abc-def' }] },
    exit: 1,
    text: [/abc-def/, /"?\d+-\d+"?/],
  },
  {
    name: 'a reversed range is an explicit error',
    files,
    call: 'concat',
    input: {
      files: [
        { path: log, lines: '9-3' },
        { path: 'tasks.md', lines: '7-8' },
      ],
    },
    exit: 1,
    text: [/^error: /m, '(lines 7-8)'],
  },
  {
    name: 'a missing path is reported, the rest is assembled',
    files,
    call: 'concat',
    input: {
      files: [
        { path: 'vault/gone.md', lines: null },
        { path: 'vault/tasks.md', lines: '7-8' },
      ],
    },
    exit: 1,
    text: [block('vault/tasks.md (lines 7-8)', numbered(tasks, 7, 8)), /^error: vault\/gone\.md: /m],
  },
  {
    name: 'the same file twice is two blocks',
    files,
    call: 'concat',
    input: {
      files: [
        { path: 'tasks.md', lines: '7-8' },
        { path: 'tasks.md', lines: '10-12' },
      ],
    },
    text: ['(lines 7-8)', '(lines 10-12)'],
  },
  {
    name: 'headings and fences inside stay inside',
    files: { 'bucket/x.md': '# 2025-07-14\n```js\n1\n```\n' },
    call: 'concat',
    input: { files: [{ path: 'bucket/x.md', lines: null }] },
    text: block('vault/bucket/x.md', '1  | # 2025-07-14\n2  | ```js\n3  | 1\n4  | ```'),
  },
];
