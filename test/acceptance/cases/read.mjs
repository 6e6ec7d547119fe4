import { changelog, description, files, png, state, tasks } from './vault.mjs';

const numbered = (text, from = 1, to = Infinity) => {
  const lines = text.replace(/\n$/, '').split('\n');
  const last = Math.min(to, lines.length);
  const width = Math.max(2, String(last).length);
  return lines
    .slice(from - 1, last)
    .map((line, i) => `${String(from + i).padEnd(width)} |${line === '' ? '' : ` ${line}`}`)
    .join('\n');
};
const block = (header, body) => '```' + header + (body === '' ? '\n```' : `\n${body}\n\`\`\``);
const long =
  Array.from({ length: 412 }, (_, i) => `entry ${String(i + 1).padStart(4, '0')} ${'x'.repeat(29)}`).join(
    '\n',
  ) + '\n'; // 40 characters a line

export const cases = [
  {
    name: 'one file',
    files,
    call: 'read',
    input: { paths: 'vault/projects/startup-x/state.md' },
    text: block('vault/projects/startup-x/state.md', numbered(state)),
  },
  {
    name: 'the prefix vault/ is optional',
    files,
    call: 'read',
    input: { paths: 'projects/startup-x/state.md' },
    text: block('vault/projects/startup-x/state.md', numbered(state)),
  },
  {
    name: 'an empty line has nothing after the bar',
    files,
    call: 'read',
    input: { paths: 'tasks.md' },
    text: /^6  \|$/m,
  },
  {
    name: 'several files, in order, separated by one empty line',
    files,
    call: 'read',
    input: { paths: ['vault/tasks.md', 'vault/projects/startup-x/state.md'] },
    text: `${block('vault/tasks.md', numbered(tasks))}\n\n${block('vault/projects/startup-x/state.md', numbered(state))}`,
  },
  {
    name: 'a folder gives its direct files only',
    files,
    call: 'read',
    input: { paths: 'vault/projects/startup-x/' },
    text: [
      ['changelog.md', changelog],
      ['description.md', description],
      ['state.md', state],
      ['tasks.md', tasks],
    ]
      .map(([name, text]) => block(`vault/projects/startup-x/${name}`, numbered(text)))
      .join('\n\n'),
  },
  {
    name: 'a folder without the final slash is a folder too',
    files,
    call: 'read',
    input: { paths: 'vault/projects/startup-x/bucket' },
    text: ['vault/projects/startup-x/bucket/email-specs.md', 'Specs v2.1'],
  },
  {
    name: 'an empty folder shows its header and nothing else',
    files,
    call: 'read',
    input: { paths: 'vault/bucket/' },
    text: block('vault/bucket/', ''),
  },
  {
    name: 'files and folders mix',
    files,
    call: 'read',
    input: { paths: ['vault/tasks.md', 'vault/bucket/'] },
    text: `${block('vault/tasks.md', numbered(tasks))}\n\n${block('vault/bucket/', '')}`,
  },
  {
    name: 'a missing path is reported, the others are read',
    files,
    call: 'read',
    input: { paths: ['vault/nope.md', 'vault/tasks.md'] },
    exit: 1,
    text: [block('vault/tasks.md', numbered(tasks)), /^error: vault\/nope\.md: /m],
  },
  {
    name: 'head keeps whole lines and original numbers',
    files: { 'bucket/long.md': long },
    call: 'read',
    input: { paths: 'bucket/long.md', head: 105 },
    text: block('vault/bucket/long.md (lines 1-10 of 412)', numbered(long, 1, 10)),
  },
  {
    name: 'tail keeps whole lines and original numbers',
    files: { 'bucket/long.md': long },
    call: 'read',
    input: { paths: 'bucket/long.md', tail: 105 },
    text: block('vault/bucket/long.md (lines 403-412 of 412)', numbered(long, 403, 412)),
  },
  {
    name: 'head applies to each file',
    files: { 'bucket/a.md': long, 'bucket/b.md': long },
    call: 'read',
    input: { paths: ['bucket/a.md', 'bucket/b.md'], head: 105 },
    text: ['vault/bucket/a.md (lines 1-10 of 412)', 'vault/bucket/b.md (lines 1-10 of 412)'],
  },
  {
    name: 'a budget larger than the file gives the whole file',
    files,
    call: 'read',
    input: { paths: 'tasks.md', head: 5000 },
    text: block('vault/tasks.md', numbered(tasks)),
  },
  {
    name: 'a first line over budget is still given',
    files: { 'bucket/one.md': 'y'.repeat(400) + '\nsecond\n' },
    call: 'read',
    input: { paths: 'bucket/one.md', head: 10 },
    text: [/\(lines 1-1 of 2\)/, 'y'.repeat(400)],
  },
  {
    name: 'head and tail together are refused',
    files,
    call: 'read',
    input: { paths: 'tasks.md', head: 10, tail: 10 },
    exit: 2,
  },
  { name: 'head 0 is refused', files, call: 'read', input: { paths: 'tasks.md', head: 0 }, exit: 2 },
  { name: 'tail 0 is refused', files, call: 'read', input: { paths: 'tasks.md', tail: 0 }, exit: 2 },
  {
    name: 'null head and tail mean no limit',
    files,
    call: 'read',
    input: { paths: 'tasks.md', head: null, tail: null },
    text: block('vault/tasks.md', numbered(tasks)),
  },
  { name: 'no path is refused', files, call: 'read', input: { paths: [] }, exit: 2 },
  {
    name: 'only frontmatter is read as it is',
    files: { 'bucket/f.md': '---\ntype: note\n---\n' },
    call: 'read',
    input: { paths: 'bucket/f.md' },
    text: block('vault/bucket/f.md', '1  | ---\n2  | type: note\n3  | ---'),
  },
  {
    name: 'width grows with the last line shown',
    files: { 'bucket/long.md': long },
    call: 'read',
    input: { paths: 'bucket/long.md' },
    text: [/^1   \| entry 0001/m, /^412 \| entry 0412/m],
  },
  {
    name: 'content cannot close the block',
    files: { 'bucket/fence.md': 'a\n```\nb\n~~~\n````\nc\n' },
    call: 'read',
    input: { paths: 'bucket/fence.md' },
    text: block('vault/bucket/fence.md', '1  | a\n2  | ```\n3  | b\n4  | ~~~\n5  | ````\n6  | c'),
  },
  {
    name: 'an image is announced in its place; head is ignored for it',
    files: { ...files, 'bucket/shot.png': png },
    call: 'read',
    input: { paths: ['tasks.md', 'bucket/shot.png'], head: 5000 },
    text: ['```vault/tasks.md', 'vault/bucket/shot.png', /1×1/],
  },
  {
    name: 'a folder with images gives text and images',
    files: { 'bucket/a.md': 'hello\n', 'bucket/shot.png': png },
    call: 'read',
    input: { paths: 'bucket/' },
    text: ['1  | hello', 'vault/bucket/shot.png'],
  },
  {
    name: 'outside the vault is refused',
    files,
    call: 'read',
    input: { paths: ['../../etc/passwd', 'vault/../../etc/passwd', '/etc/passwd'] },
    exit: 1,
    text: [/^error: /m, /^(?![\s\S]*root:)/],
  },
  {
    name: 'folded shows the headings with their numbers',
    files,
    call: 'read',
    input: { paths: 'projects/startup-x/state.md', folded: true },
    text: [
      /^7  \| ## Statut global$/m,
      /^10 \| ## Focus actuel$/m,
      '...',
      /^(?![\s\S]*Intégration du module)/,
    ],
  },
];
