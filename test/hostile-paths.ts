import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { layOut } from './temporary-vault.ts';

/** The content of every file outside the vault, which no tool may ever show. */
export const secret = 'SECRET-7f3a';

/**
 * Creates a vault with traps, and the files outside that the traps lead to. Returns a server that keeps a socket in the vault alive; the
 * caller closes it.
 */
export async function layTraps(vault: string): Promise<Server> {
  const outside = join(vault, '..', 'outside');
  layOut(outside, { 'secret.md': `# ${secret}\n`, 'folder/inner.md': secret, [`name-${secret}.md`]: 'x' });
  layOut(join(vault, '..', 'vault-sibling'), { 'secret.md': secret });
  layOut(vault, {
    'tasks.md': '# one\ntext\n',
    'Tasks.md': 'case twin\n',
    'projects/x/state.md': '## state\n',
    'folder.md': null,
    'folder.md/inside.md': 'in a folder that is named like a file\n',
    '.git/config': secret,
    '.obsidian/app.json': secret,
    '.env': secret,
    'projects/.hidden/x.md': secret,
    'r\u00e9sum\u00e9.md': 'composed\n',
    're\u0301sume\u0301.md': 'decomposed twin\n',
    'de\u0301compose\u0301.md': 'only decomposed\n',
    'new\nline.md': 'newline in the name\n',
    'back`tick.md': 'backtick in the name\n',
    '-dash.md': 'leading dash\n',
    'a:b.md': 'colon\n',
    'CON.md': 'device name\n',
    'trailing.md ': 'trailing space\n',
    'glob[*]?.md': 'glob characters\n',
    '%2e%2e.md': 'percent\n',
    'gpj.\u202edm.md': 'bidi\n',
    'zero\u200bwidth.md': 'zero width\n',
    'binary.md': Buffer.from([0, 1, 2, 255]),
    'utf16.md': Buffer.from('\ufeffhello', 'utf16le'),
    'lying.png': 'not an image\n',
  });
  writeFileSync(
    Buffer.from([...Buffer.from(`${vault}/invalid-`), 0xff, 0xfe, ...Buffer.from('.md')]),
    'name is not UTF-8\n',
  );
  symlinkSync(join(outside, 'secret.md'), join(vault, 'leaf-link.md'));
  symlinkSync(outside, join(vault, 'folder-link'));
  symlinkSync(outside, join(vault, 'projects/x/up'));
  symlinkSync('../outside/secret.md', join(vault, 'relative-link.md'));
  symlinkSync('nowhere.md', join(vault, 'dangling.md'));
  symlinkSync('loop.md', join(vault, 'loop.md'));
  symlinkSync('tasks.md', join(vault, 'inside-link.md'));
  symlinkSync('/etc/passwd', join(vault, 'passwd.md'));
  symlinkSync('/dev/zero', join(vault, 'zero.md'));
  symlinkSync('/proc/self/environ', join(vault, 'environ.md'));
  linkSync(join(vault, 'tasks.md'), join(vault, 'hardlink.md'));
  execFileSync('mkfifo', [join(vault, 'pipe.md')]);
  mkdirSync(join(vault, ...Array.from({ length: 20 }, () => 'deep')), { recursive: true });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(vault, 'socket.md'), resolve));
  return server;
}

const targets = ['etc/passwd', 'outside/secret.md', 'outside', 'vault-sibling/secret.md'];
const climbs = [
  '..',
  '../..',
  'projects/..',
  'projects/../..',
  'vault/..',
  './..',
  'folder-link',
  'folder-link/..',
  'projects/x/up',
  'projects/x/up/..',
  '.../..',
  '. ./..',
  '..\\..',
  '%2e%2e',
  '%2E%2E%2F%2e%2e',
  '%252e%252e',
  '..%2f',
  '..%5c',
  '\u2024\u2024',
  '\uff0e\uff0e',
  '..\u200b',
  '\\u{2e}\\u{2e}',
  '..;',
  '..\0',
];

/**
 * Combines every way to climb out of the vault with other targets, and every target with suffixes that a parser may
 * strip.
 */
function furtherPaths(): string[] {
  const further = ['etc/hosts', 'outside/folder/inner.md', 'outside/folder/', 'proc/self/environ'];
  const behind = ['/.', '/..', '//', '%00.md', '\0.md', ';.md', '#x', '?x', ' ', '.', '::$DATA', '%20'];
  const all = [...targets, ...further];
  return [
    ...climbs.flatMap((climb) => further.map((target) => `${climb}/${target}`)),
    ...all.flatMap((target) => behind.map((end) => `../${target}${end}`)),
  ];
}

/** The number of paths to try, starting with the first. */
const tried = Number(process.env['HOSTILE_PATHS'] ?? 248);

/** Inputs that try to leave the vault, hang a reader or break the output. */
export function hostilePaths(vault: string): string[] {
  return [...new Set([...shortList(vault), ...furtherPaths()])].slice(0, tried);
}

function shortList(vault: string): string[] {
  const outside = join(vault, '..', 'outside');
  return [
    ...climbs.flatMap((climb) => targets.map((target) => `${climb}/${target}`)),
    ...targets.map((target) => `/${target}`),
    outside,
    `${outside}/secret.md`,
    vault,
    `${vault}/tasks.md`,
    `${vault}-sibling/secret.md`,
    `file://${outside}/secret.md`,
    `//${outside}/secret.md`,
    '',
    '/',
    '//',
    '.',
    '..',
    '...',
    '~',
    '~/.ssh/id_rsa',
    '$HOME',
    '`id`',
    '$(id)',
    '-',
    '--',
    '-rf',
    '*',
    '**',
    '**/*',
    '?',
    '[a-z]*',
    '{a,b}',
    '{{{{',
    '!(x)',
    '|',
    'a|b',
    '>',
    '<',
    '"',
    "'",
    ';',
    '&&',
    'leaf-link.md',
    'folder-link',
    'folder-link/',
    'folder-link/secret.md',
    'folder-link/folder/inner.md',
    'folder-link/nothing.md',
    'projects/x/up',
    'projects/x/up/secret.md',
    'relative-link.md',
    'dangling.md',
    'loop.md',
    'inside-link.md',
    'passwd.md',
    'zero.md',
    'environ.md',
    'hardlink.md',
    'pipe.md',
    'socket.md',
    '/dev/zero',
    '/dev/stdin',
    '/proc/self/environ',
    '/proc/self/fd/0',
    'dev/zero',
    '.git',
    '.git/',
    '.git/config',
    '.obsidian/app.json',
    '.vscode',
    '.claude/settings.json',
    '.qmd',
    '.keepsake/vault.json',
    '.env',
    '.',
    './.env',
    'projects/.hidden/x.md',
    'vault/.git/config',
    '.git./config',
    'tasks.md/',
    'tasks.md/x',
    'tasks.md/..',
    'tasks.md\0.png',
    '\0',
    'a\0b',
    'folder.md',
    'folder.md/',
    'folder.md/inside.md',
    'TASKS.MD',
    'Tasks.md',
    'tasks.md ',
    ' tasks.md',
    'tasks.md.',
    'trailing.md ',
    'C:\\Windows\\win.ini',
    'C:/Windows/win.ini',
    '\\\\server\\share\\x',
    '\\\\?\\C:\\x',
    'PROGRA~1',
    'CON',
    'NUL',
    'AUX.md',
    'CON.md',
    'COM1',
    'a:b.md',
    'tasks.md:stream',
    'tasks.md::$DATA',
    'new\nline.md',
    'new\\nline.md',
    'back`tick.md',
    'glob[*]?.md',
    '%2e%2e.md',
    'gpj.\u202edm.md',
    'zero\u200bwidth.md',
    '-dash.md',
    'r\u00e9sum\u00e9.md',
    're\u0301sume\u0301.md',
    'd\u00e9compos\u00e9.md',
    '\ud800',
    '\udfff.md',
    '\u{e0041}',
    '\ufeff',
    '\r',
    '\t',
    '\x1b[2J',
    '\x07',
    'x'.repeat(255),
    'x'.repeat(256),
    'é'.repeat(200),
    'x'.repeat(5_000),
    'x'.repeat(1_000_000),
    'a/'.repeat(1_500),
    'a/'.repeat(100_000),
    '../'.repeat(1_000),
    '/'.repeat(10_000),
    Array.from({ length: 20 }, () => 'deep').join('/'),
    `${'deep/'.repeat(20)}..`,
    'binary.md',
    'utf16.md',
    'lying.png',
    'invalid-\ufffd\ufffd.md',
    'invalid-\xff\xfe.md',
    'vault',
    'vault/',
    'vault/vault',
    'vault/vault/tasks.md',
    'VAULT/tasks.md',
    'vault//tasks.md',
    'vault/./tasks.md',
    'vault\\tasks.md',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty/x',
  ];
}
