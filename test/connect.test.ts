import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  getClient,
  clientNames,
  createEntry,
  resolveConfigLocation,
  planConfigChange,
  addEntry,
  writeConfigChange,
} from '../packages/vault/src/connect/index.ts';
import type { Platform, ServerEndpoint } from '../packages/vault/src/connect/index.ts';
import { parseJsonTree } from '../packages/vault/src/connect/json-tree.ts';
import { parseTomlStatements } from '../packages/vault/src/connect/toml-statements.ts';
import { describeError } from '../packages/vault/src/contract/index.ts';
import { printSkip } from './missing.ts';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

const vault = '/home/ada/my vault';
const stdio: ServerEndpoint = { kind: 'stdio', command: 'keepsake', args: ['mcp', '--vault', vault] };
const http: ServerEndpoint = {
  kind: 'http',
  url: 'https://vault.example.org/mcp',
  tokenVariable: 'VAULT_TOKEN',
};

/** The message of the error that the work throws. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return describeError(error);
  }
  return expect.unreachable('it did not throw');
}

/** The text of a client's file that contains only this server. */
const alone = (name: string, server: ServerEndpoint = stdio): string => addEntry(getClient(name), server, '');

function machineOf(platform: NodeJS.Platform, over: Partial<Platform> = {}): Platform {
  const home = { darwin: '/Users/ada', win32: String.raw`C:\Users\ada` }[platform as string] ?? '/home/ada';
  return { platform, home, variable: () => undefined, packages: [], ...over };
}

const withVariables = (variables: Record<string, string>): Partial<Platform> => ({
  variable: (name) => variables[name],
});

describe('the location of a client configuration', () => {
  it.each([
    ['claude-desktop', 'linux', '/home/ada/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'darwin', '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'win32', String.raw`C:\Users\ada\AppData\Roaming\Claude\claude_desktop_config.json`],
    ['cursor', 'linux', '/home/ada/.cursor/mcp.json'],
    ['cursor', 'darwin', '/Users/ada/.cursor/mcp.json'],
    ['cursor', 'win32', String.raw`C:\Users\ada\.cursor\mcp.json`],
    ['vscode', 'linux', '/home/ada/.config/Code/User/mcp.json'],
    ['vscode', 'darwin', '/Users/ada/Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'win32', String.raw`C:\Users\ada\AppData\Roaming\Code\User\mcp.json`],
    ['codex', 'linux', '/home/ada/.codex/config.toml'],
    ['codex', 'darwin', '/Users/ada/.codex/config.toml'],
    ['codex', 'win32', String.raw`C:\Users\ada\.codex\config.toml`],
    ['gemini-cli', 'linux', '/home/ada/.gemini/settings.json'],
    ['gemini-cli', 'darwin', '/Users/ada/.gemini/settings.json'],
    ['gemini-cli', 'win32', String.raw`C:\Users\ada\.gemini\settings.json`],
    ['opencode', 'linux', '/home/ada/.config/opencode/opencode.json'],
    ['opencode', 'darwin', '/Users/ada/.config/opencode/opencode.json'],
    ['opencode', 'win32', String.raw`C:\Users\ada\.config\opencode\opencode.json`],
    ['zed', 'linux', '/home/ada/.config/zed/settings.json'],
    ['zed', 'darwin', '/Users/ada/.config/zed/settings.json'],
    ['zed', 'win32', String.raw`C:\Users\ada\AppData\Roaming\Zed\settings.json`],
    ['claude-code', 'linux', '/work/app/.mcp.json'],
    ['claude-code', 'darwin', '/work/app/.mcp.json'],
    ['claude-code', 'win32', String.raw`\work\app\.mcp.json`],
  ] as const)('%s on %s: %s', (name, platform, file) => {
    const place = resolveConfigLocation(getClient(name), machineOf(platform), { present: '/work/app' });
    expect(place.file.replace(/^[A-Z]:(?=\\work)/, '')).toBe(file);
  });

  it.each([
    ['vscode', 'linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Code/User/mcp.json'],
    ['zed', 'linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/zed/settings.json'],
    ['zed', 'darwin', { XDG_CONFIG_HOME: '/cfg' }, '/Users/ada/.config/zed/settings.json'],
    ['codex', 'linux', { CODEX_HOME: '/codex' }, '/codex/config.toml'],
    ['vscode', 'win32', { APPDATA: String.raw`D:\data` }, String.raw`D:\data\Code\User\mcp.json`],
  ] as const)('%s on %s with %o: %s', (name, platform, variables, file) => {
    const machine = machineOf(platform, withVariables(variables));
    expect(resolveConfigLocation(getClient(name), machine, { present: '/' }).file).toBe(file);
  });

  it('is inside the package if Claude Desktop was installed as an MSIX package', () => {
    const machine = machineOf('win32', { packages: ['Other_1', 'Claude_pzs8sxrjxfjjc'] });
    expect(resolveConfigLocation(getClient('claude-desktop'), machine, { present: '/' }).file).toBe(
      String.raw`C:\Users\ada\AppData\Local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude\claude_desktop_config.json`,
    );
  });

  it.each([
    ['claude-code', '/work/app/.mcp.json'],
    ['cursor', '/work/app/.cursor/mcp.json'],
    ['vscode', '/work/app/.vscode/mcp.json'],
    ['codex', '/work/app/.codex/config.toml'],
    ['gemini-cli', '/work/app/.gemini/settings.json'],
  ])('%s of a project: %s', (name, file) => {
    const place = resolveConfigLocation(getClient(name), machineOf('linux'), {
      project: 'app',
      present: '/work',
    });
    expect(place.file).toBe(file);
  });

  it.each(['claude-desktop', 'zed'])('does not exist for %s in a project', (name) => {
    const ask = (): unknown =>
      resolveConfigLocation(getClient(name), machineOf('linux'), { project: '.', present: '/work' });
    expect(refusalOf(ask)).toContain('has no configuration per project; omit --project');
  });
});

describe('the configuration entry', () => {
  const args = ['mcp', '--vault', vault];
  const bearer = (reference: string): unknown => ({ Authorization: `Bearer ${reference}` });
  const { url } = http;

  it.each([
    ['claude-code', { mcpServers: { keepsake: { type: 'stdio', command: 'keepsake', args } } }],
    ['claude-desktop', { mcpServers: { keepsake: { command: 'keepsake', args } } }],
    ['cursor', { mcpServers: { keepsake: { type: 'stdio', command: 'keepsake', args } } }],
    ['vscode', { servers: { keepsake: { type: 'stdio', command: 'keepsake', args } } }],
    ['gemini-cli', { mcpServers: { keepsake: { command: 'keepsake', args } } }],
    ['zed', { context_servers: { keepsake: { command: 'keepsake', args } } }],
  ])('of %s starts a command', (name, expected) => {
    expect(JSON.parse(alone(name))).toEqual(expected);
  });

  it.each([
    ['claude-code', { mcpServers: { keepsake: { type: 'http', url, headers: bearer('${VAULT_TOKEN}') } } }],
    ['cursor', { mcpServers: { keepsake: { url, headers: bearer('${env:VAULT_TOKEN}') } } }],
    ['vscode', { servers: { keepsake: { type: 'http', url, headers: bearer('${env:VAULT_TOKEN}') } } }],
    ['gemini-cli', { mcpServers: { keepsake: { httpUrl: url, headers: bearer('${VAULT_TOKEN}') } } }],
  ])('of %s calls a URL, with the token in a variable', (name, expected) => {
    expect(JSON.parse(alone(name, http))).toEqual(expected);
  });

  it('of codex is a TOML table', () => {
    expect(alone('codex')).toBe(
      '[mcp_servers.keepsake]\ncommand = "keepsake"\nargs = ["mcp", "--vault", "/home/ada/my vault"]\n',
    );
    expect(alone('codex', http)).toBe(
      '[mcp_servers.keepsake]\nurl = "https://vault.example.org/mcp"\nbearer_token_env_var = "VAULT_TOKEN"\n',
    );
  });

  it.each(['claude-desktop', 'zed'])('of %s cannot call a URL, and the error says what to do', (name) => {
    expect(refusalOf(() => alone(name, http))).toMatch(/does not support HTTP servers.*; omit --http/);
  });

  it('must not contain a path in which the client would expand a variable', () => {
    const odd: ServerEndpoint = { ...stdio, args: ['mcp', '--vault', '/home/ada/$HOME'] };
    for (const name of ['claude-code', 'cursor', 'vscode', 'gemini-cli'])
      expect(() => alone(name, odd)).toThrow('expands the $');
    for (const name of ['claude-desktop', 'codex', 'zed']) expect(alone(name, odd)).toContain('$HOME');
  });
});

const jsonClients = clientNames.filter((name) => getClient(name).format !== 'toml');
const commented = clientNames.filter((name) => getClient(name).format === 'jsonc');

describe.each(jsonClients)('the config file of %s', (name) => {
  const client = getClient(name);
  const { section } = client;
  const set = (text: string, server: ServerEndpoint = stdio): string => addEntry(client, server, text);
  const entry = (JSON.parse(alone(name)) as Record<string, Record<string, unknown>>)[section]?.['keepsake'];

  it('keeps other servers and settings byte for byte, and its indentation', () => {
    for (const unit of ['  ', '    ', '\t']) {
      const before = `{\n${unit}"theme" : "dark",\n${unit}"${section}": {\n${unit}${unit}"other": {"command":"x"}\n${unit}}\n}\n`;
      const after = set(before);
      const [head, tail] = [before.slice(0, before.indexOf('x"}') + 3), `\n${unit}}\n}\n`];
      expect(after.startsWith(`${head},\n${unit}${unit}"keepsake": {\n${unit}${unit}${unit}"`)).toBe(true);
      expect(after.endsWith(tail)).toBe(true);
      expect(JSON.parse(after)).toEqual({
        theme: 'dark',
        [section]: { other: { command: 'x' }, keepsake: entry },
      });
      expect(set(after)).toBe(after);
    }
  });

  it.each([
    ['nothing', ''],
    ['an empty line', '\n'],
    ['an empty object', '{}'],
    ['an object on two lines', '{\n}\n'],
    ['no servers yet', '{\n  "theme": "dark"\n}\n'],
    ['an empty list of servers', `{\n  "${section}": {}\n}\n`],
    ['everything on one line', `{"${section}":{"other":{"command":"x"}},"theme":"dark"}`],
    ['everything on one line, with spaces', `{ "theme": "dark", "${section}": { "a": 1 } }`],
    ['Windows line endings', `{\r\n  "${section}": {\r\n    "other": 1\r\n  }\r\n}\r\n`],
  ])('gets the entry when it has %s, and does not change the second time', (_, before) => {
    const after = set(before);
    const expected = JSON.parse(before.trim() === '' ? '{}' : before) as Record<string, object>;
    expect(JSON.parse(after)).toEqual({ ...expected, [section]: { ...expected[section], keepsake: entry } });
    expect(set(after)).toBe(after);
    expect(after.replaceAll('\r\n', '').includes('\n')).toBe(
      before.includes('\r') ? false : after.includes('\n'),
    );
  });

  it('keeps the place of the previous entry, and fields that others added to it', () => {
    const before = `{\n  "${section}": {\n    "keepsake": {\n      "command": "/old",\n      "env": { "A": "b" },\n      "disabled": true\n    },\n    "other": 1\n  }\n}\n`;
    const after = set(before);
    expect(JSON.parse(after)).toEqual({
      [section]: { keepsake: { ...(entry as object), env: { A: 'b' }, disabled: true }, other: 1 },
    });
    expect(after.endsWith('    },\n    "other": 1\n  }\n}\n')).toBe(true);
    expect(set(after)).toBe(after);
  });

  it('keeps no URL fields in an entry that becomes a command', () => {
    const before = `{"${section}":{"keepsake":{"type":"http","url":"x","httpUrl":"x","headers":{},"trust":true}}}`;
    expect(JSON.parse(set(before))).toEqual({
      [section]: { keepsake: { ...(entry as object), trust: true } },
    });
  });

  it('gets the entry under the last of two equal keys, which is the one that parsers use', () => {
    const before = `{\n  "${section}": { "first": 1 },\n  "${section}": { "last": 2 }\n}\n`;
    const after = set(before);
    expect(JSON.parse(after)).toEqual({ [section]: { last: 2, keepsake: entry } });
    expect(after).toContain('{ "first": 1 }');
    expect(set(after)).toBe(after);
  });

  it.each([
    ['cut off', '{ "a": '],
    ['with an extra comma', '{ "a": 1,, "b": 2 }'],
    ['with trailing text', '{} {}'],
    ['with single quotes', "{ 'a': 1 }"],
    ['with a bare word', '{ "a": yes }'],
    ['a list', '[]'],
    ['with a list of servers', `{ "${section}": [] }`],
    ['with null as servers', `{ "${section}": null }`],
  ])('is rejected when it is %s', (_, text) => {
    expect(() => set(text)).toThrow(SyntaxError);
  });
});

describe.each(commented)('comments in the config file of %s', (name) => {
  const client = getClient(name);
  const { section } = client;
  const set = (text: string): string => addEntry(client, stdio, text);

  it('are preserved, and so are trailing commas', () => {
    const before = `// mine\n{\n  /* look */ "theme": "dark", // yes\n  "${section}": {\n    // one\n    "other": { "command": "x" }, // two\n    // three\n  },\n}\n// end\n`;
    const after = set(before);
    const added = after.slice(after.indexOf('\n    "keepsake"'), after.indexOf('\n  },\n}\n// end'));
    expect(after.replace(added, '')).toBe(before);
    expect(added.endsWith('},')).toBe(true);
    expect(parseJsonTree(after)?.value).toMatchObject({
      [section]: { keepsake: createEntry(client, stdio) },
    });
    expect(set(after)).toBe(after);
  });

  it.each([
    ['after the last member', '{\n  "a": 1 // last\n}\n', '  "a": 1, // last\n'],
    ['in an empty object', '{\n  // nothing yet\n}\n', '  // nothing yet\n'],
    ['in an empty object on one line', '{ /* nothing */ }', '{ /* nothing */\n'],
    ['and nothing else', '// settings\n', '// settings\n{\n'],
    ['before a comma', '{\n  "a": 1 /* x */,\n}\n', '  "a": 1 /* x */,\n'],
    ['with old Mac line endings', '{"a": 1 // last\r}', '{"a": 1, // last\n'],
    ['with old Mac line endings, before a comma', '{"a": 1 // x\r,\r}', '{"a": 1 // x\r,\n'],
    ['in large numbers', `{\n  "a": 1 ${'/**/ '.repeat(100)}\n}\n`, '  "a": 1, /**/ /**/'],
    [
      'that look like code',
      '{\n  "a": "// no", // "}"\n  "b": 2\n}\n',
      '  "a": "// no", // "}"\n  "b": 2,\n',
    ],
  ])('are preserved: %s', (_, before, kept) => {
    const after = set(before);
    expect(after).toContain(kept);
    expect(parseJsonTree(after)?.value).toMatchObject({
      [section]: { keepsake: createEntry(client, stdio) },
    });
    expect(set(after)).toBe(after);
  });
});

describe('comments in a config file that does not support them', () => {
  it.each(['claude-code', 'claude-desktop'])('make it invalid: %s', (name) => {
    expect(() => addEntry(getClient(name), stdio, '{} // mine')).toThrow(SyntaxError);
  });
});

describe('arbitrary JSON', () => {
  it('is parsed with the same result as by JSON.parse, and only the Keepsake entry changes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1, 2, 4, '\t'),
        (others, servers, indent) => {
          const value = { ...others, servers };
          const before = JSON.stringify(value, null, indent);
          expect(parseJsonTree(before)?.value).toEqual(JSON.parse(before));
          const after = addEntry(getClient('vscode'), stdio, before);
          const { keepsake, ...rest } = (JSON.parse(after) as { servers: Record<string, unknown> }).servers;
          const { keepsake: _, ...expected } = (JSON.parse(before) as typeof value).servers;
          expect(rest).toEqual(expected);
          expect(keepsake).toMatchObject({ command: 'keepsake' });
          expect(addEntry(getClient('vscode'), stdio, after)).toBe(after);
        },
      ),
    );
  });
});

describe('the config file of Codex', () => {
  const set = (text: string, server: ServerEndpoint = stdio): string =>
    addEntry(getClient('codex'), server, text);
  const ours = alone('codex');
  const hasPython = spawnSync('python3', ['-c', 'import tomllib']).status === 0;

  /** Parses TOML with another parser, if there is one. */
  function load(text: string): Record<string, Record<string, unknown>> {
    const { status, stdout, stderr } = spawnSync(
      'python3',
      ['-c', 'import json, sys, tomllib; print(json.dumps(tomllib.loads(sys.stdin.read()), default=str))'],
      { input: text, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, Record<string, unknown>>;
  }

  const settings = [
    '# mine',
    'model = "gpt-5"   # the best',
    'notify = [ # two',
    '  "a", "[mcp_servers.keepsake]",',
    "  'b' ]",
    'prompt = """',
    '[mcp_servers.keepsake]',
    'command = "fake" \\"\\"" ""',
    '"""',
    "raw = '''",
    "[x]'''",
    'since = 1979-05-27 07:32:00',
    'point = { x = 1, "y.z" = { w = [1, 2] } }',
    '',
    '[mcp_servers.other]',
    'command = "x"',
    '',
    '[[profiles]]',
    'name = "a"',
    '',
  ].join('\n');

  it('gets a table at its end, and is otherwise byte-for-byte unchanged', () => {
    const after = set(settings);
    expect(after).toBe(`${settings}\n${ours}`);
    expect(set(after)).toBe(after);
    expect(set('model = "x"')).toBe(`model = "x"\n\n${ours}`);
    expect(set('a = 1\r\n')).toBe(`a = 1\r\n\r\n${ours.replaceAll('\n', '\r\n')}`);
  });

  it('is valid for another TOML parser', ({ skip }) => {
    if (!hasPython) skip(printSkip('python3 with tomllib is not installed'));
    const { mcp_servers: servers, ...others } = load(set(settings));
    const { mcp_servers: before, ...expected } = load(settings);
    expect(others).toEqual(expected);
    expect(servers).toEqual({ ...before, keepsake: { command: 'keepsake', args: stdio.args } });
    const odd: ServerEndpoint = { ...stdio, args: ['a "b" \\ c', 'é\u0007\u007F', "it's"] };
    expect(load(set('', odd))['mcp_servers']).toEqual({ keepsake: { command: 'keepsake', args: odd.args } });
  });

  it('keeps an equivalent table, whatever its formatting', () => {
    const before = `[ mcp_servers . "keepsake" ] # mine\nargs = [\n  "mcp", # this\n  "--vault",   "/home/ada/my vault" ]\ncommand="keepsake"\n[z]\n`;
    expect(set(before)).not.toBe(before);
    const spaced = before.replace(' # this', '');
    expect(set(spaced)).toBe(spaced);
  });

  it('changes only in the values that differ, and keeps keys that others added', () => {
    const before = `[a]\nx = 1\n\n[mcp_servers.keepsake] # mine\ncommand = "/old" # was here\nstartup_timeout_sec = 20\n\n[mcp_servers.keepsake.env]\nA = "b"\n\n[z]\ny = 2\n`;
    const after = set(before);
    expect(after).toBe(
      before
        .replace('"/old"', '"keepsake"')
        .replace('= 20\n', '= 20\nargs = ["mcp", "--vault", "/home/ada/my vault"]\n'),
    );
    expect(set(after)).toBe(after);
  });

  it('keeps no command fields when the table changes to a URL, because Codex rejects a table with both', () => {
    const before = `[mcp_servers.keepsake]\ncommand = "keepsake"\nargs = []\nenabled = true\n[mcp_servers.keepsake.env]\nA = "b"\n[z]\ny = 2\n`;
    const after = set(before, http);
    expect(after).toBe(
      '[mcp_servers.keepsake]\nenabled = true\nurl = "https://vault.example.org/mcp"\nbearer_token_env_var = "VAULT_TOKEN"\n[z]\ny = 2\n',
    );
    expect(set(after, http)).toBe(after);
    expect(set(after)).toContain('command = "keepsake"');
    expect(set(after)).not.toContain('url');
  });

  it.each([
    ['cut off in a string', 'a = "b\n'],
    ['cut off in a list', 'a = [1, 2\n'],
    ['with an unclosed table header', '[a\nb = 1\n'],
    ['with two values on a line', 'a = 1 "b"\n'],
    ['with a key alone', 'model\n'],
    ['with a duplicate key', 'a = 1\na = 2\n'],
    ['with our table twice', '[mcp_servers.keepsake]\n[mcp_servers.keepsake]\n'],
    ['with our table twice, once escaped', '[mcp_servers.keepsake]\n[mcp_servers."keep\\u0073ake"]\n'],
    ['with our table inline', '[mcp_servers]\nkeepsake = { command = "x" }\n'],
    ['with our table as dotted keys', 'mcp_servers.keepsake.command = "x"\n'],
    ['with all servers inline', 'mcp_servers = { }\n'],
    ['with our table as an array', '[[mcp_servers.keepsake]]\n'],
  ])('is rejected when it is %s', (_, text) => {
    expect(() => set(text)).toThrow(SyntaxError);
  });

  it('is parsed without mistaking other text for table headers', () => {
    expect(parseTomlStatements(settings).map(({ path }) => path.join('.'))).toEqual([
      'model',
      'notify',
      'prompt',
      'raw',
      'since',
      'point',
      'mcp_servers.other',
      'mcp_servers.other.command',
      'profiles',
      'profiles.name',
    ]);
  });
});

/** Runs a command in a separate home, in which only the clients in its `bin` are installed. */
function runIn(home: string, args: string[]): Promise<Ran> {
  return runCommand(args, { cwd: home, variables: { HOME: home, PATH: join(home, 'bin') } });
}

/** Runs a command that is expected to succeed. */
async function connect(home: string, args: string[], command = 'connect'): Promise<Ran> {
  const ran = await runIn(home, [command, ...args]);
  expect(ran).toMatchObject({ code: 0 });
  return ran;
}

/** The error message of a command that is expected to fail. */
async function refusal(home: string, args: string[]): Promise<string> {
  const { code, out, err } = await runIn(home, ['connect', ...args]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  return err;
}

/** A home with a vault, and with the file of a client if a text is given. */
function homeWith(name: string, text?: string): { home: string; file: string } {
  const home = temporaryFolder();
  mkdirSync(join(home, 'vault'));
  const { file } = resolveConfigLocation(getClient(name), machineOf('linux', { home }), { present: home });
  if (text !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { home, file };
}

const otherText = (name: string): string =>
  getClient(name).format === 'toml'
    ? 'model = "x"\n'
    : `{\n  "${getClient(name).section}": {\n    "other": {\n      "command": "x"\n    }\n  }\n}\n`;

const backupsOf = (file: string): string[] =>
  readdirSync(dirname(file))
    .filter((each) => each.includes('.backup-'))
    .map((each) => join(dirname(file), each));

describe.each(clientNames)('connect %s --write', (name) => {
  it('creates a missing file, and changes nothing the second time', async () => {
    const { home, file } = homeWith(name);
    const { out } = await connect(home, [name, '--write', '--vault', join(home, 'vault')]);
    expect(out).toContain(`--- /dev/null\n+++ ${file}\n@@`);
    expect(out).toContain(`created ${file}\nthen: `);
    expect(readFileSync(file, 'utf8')).toContain(join(home, 'vault'));
    const again = await connect(home, [name, '--write', '--vault', join(home, 'vault')]);
    expect(again.out).toBe(`${file} is already up to date\n`);
    expect(backupsOf(file)).toEqual([]);
  });

  it('changes an existing file: makes a backup, shows the change, keeps the mode, and leaves no other file', async () => {
    const { home, file } = homeWith(name, otherText(name));
    chmodSync(file, 0o640);
    const { out } = await connect(home, [name, '--write', '--vault', join(home, 'vault')]);
    const [backup = '', ...more] = backupsOf(file);
    expect(more).toEqual([]);
    expect(readFileSync(backup, 'utf8')).toBe(otherText(name));
    expect(out).toContain(`--- ${file}\n+++ ${file}\n@@`);
    expect(out).toMatch(/^\+.*keepsake/m);
    expect(out).toContain(`changed ${file}\nbackup: ${backup}\n`);
    for (const each of [file, backup]) expect(statSync(each).mode & 0o777).toBe(0o640);
    expect(readFileSync(file, 'utf8')).toContain('"x"');
    expect(readdirSync(dirname(file)).filter((each) => each.includes('.keepsake-'))).toEqual([]);

    const other = await connect(home, [name, '--write', '--read-only', '--vault', join(home, 'vault')]);
    expect(other.out).toMatch(/^\+.*--read-only/m);
    expect(backupsOf(file)).toHaveLength(2);
  });

  it('rejects an invalid file, says what to do, and leaves it unchanged', async () => {
    const { home, file } = homeWith(name, '{ "a": [');
    expect(await refusal(home, [name, '--write', '--vault', join(home, 'vault')])).toMatch(
      new RegExp(
        `${file} is not valid \\w+ \\(.*\\); nothing was changed; fix it, or add the output of keepsake connect ${name} by hand`,
      ),
    );
    expect(readFileSync(file, 'utf8')).toBe('{ "a": [');
    expect(backupsOf(file)).toEqual([]);
  });

  it('rejects a file that is nested too deeply, and says so', async () => {
    const list = '['.repeat(100_000) + ']'.repeat(100_000);
    const { home } = homeWith(name, getClient(name).format === 'toml' ? `a = ${list}` : `{ "a": ${list} }`);
    expect(await refusal(home, [name, '--write', '--vault', join(home, 'vault')])).toMatch(
      /is not valid \w+ \(it is nested too deeply or too long\); nothing was changed/,
    );
  });

  it('writes to a new file exactly what is printed without --write', async () => {
    const { home, file } = homeWith(name);
    const { out, err } = await connect(home, [name, '--vault', 'vault']);
    expect(existsSync(file)).toBe(false);
    expect(err).toContain(file);
    await connect(home, [name, '--write', '--vault', 'vault']);
    expect(readFileSync(file, 'utf8')).toBe(out);
  });
});

describe('connect', () => {
  it('keeps a byte order mark and rejects files that are not text', async () => {
    const { home, file } = homeWith('cursor', '\uFEFF{}');
    await connect(home, ['cursor', '--write', '--vault', 'vault']);
    expect(readFileSync(file, 'utf8').startsWith('\uFEFF{\n  "mcpServers"')).toBe(true);
    writeFileSync(file, Buffer.from('{"a":"\xFF"}', 'latin1'));
    expect(await refusal(home, ['cursor', '--write', '--vault', 'vault'])).toContain('not UTF-8');
  });

  it('reports the line of a syntax error', async () => {
    const json = homeWith('zed', '{\n  "a": 1\n  "b": 2\n}\n');
    expect(await refusal(json.home, ['zed', '--write', '--vault', 'vault'])).toContain(
      '(comma expected in line 3)',
    );
    const toml = homeWith('codex', 'a = 1\nb = yes\n');
    expect(await refusal(toml.home, ['codex', '--write', '--vault', 'vault'])).toContain(
      '(Unexpected character in line 2)',
    );
  });

  it("follows the user's symbolic link, and reports the real file", async () => {
    const { home, file } = homeWith('zed', otherText('zed'));
    const dotfiles = join(temporaryFolder(), 'zed.json');
    writeFileSync(dotfiles, otherText('zed'));
    const linked = homeWith('zed');
    mkdirSync(dirname(linked.file), { recursive: true });
    symlinkSync(dotfiles, linked.file);
    const { err } = await connect(linked.home, ['zed', '--write', '--vault', 'vault']);
    expect(err).toContain(`${linked.file} is a symbolic link to ${dotfiles}`);
    expect(lstatSync(linked.file).isSymbolicLink()).toBe(true);
    expect(readFileSync(dotfiles, 'utf8')).toContain('keepsake');
    expect(backupsOf(dotfiles)).toHaveLength(1);
    expect((await connect(home, ['zed', '--write', '--vault', 'vault'])).err).not.toContain(
      'is a symbolic link',
    );
    expect(file).not.toBe(linked.file);
  });

  it('also reports the real file if its folder is a symbolic link', async () => {
    const { home, file } = homeWith('cursor');
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(home, '.cursor'));
    expect((await connect(home, ['cursor', '--write', '--vault', 'vault'])).err).toContain(
      `${file} is a symbolic link to ${join(elsewhere, 'mcp.json')}`,
    );
  });

  it('follows no symbolic link out of a project, which may be untrusted', async () => {
    const { home } = homeWith('vscode');
    const target = join(home, 'target.json');
    layOut(home, { 'target.json': '{}', 'project/.vscode': null });
    symlinkSync(target, join(home, 'project/.vscode/mcp.json'));
    expect(await refusal(home, ['vscode', '--write', '--project', 'project', '--vault', 'vault'])).toContain(
      'outside the project',
    );
    expect(readFileSync(target, 'utf8')).toBe('{}');
  });

  it('rejects a broken link, and a folder in place of the file', async () => {
    const { home, file } = homeWith('cursor');
    mkdirSync(dirname(file));
    symlinkSync(join(home, 'nowhere'), file);
    expect(await refusal(home, ['cursor', '--write', '--vault', 'vault'])).toContain(
      'is a broken symbolic link',
    );
    const other = homeWith('cursor');
    mkdirSync(other.file, { recursive: true });
    expect(await refusal(other.home, ['cursor', '--write', '--vault', 'vault'])).toContain('is not a file');
  });

  it('writes nothing when the file has changed since it was read', () => {
    const { home, file } = homeWith('cursor', '{}');
    const place = resolveConfigLocation(getClient('cursor'), machineOf('linux', { home }), { present: home });
    const change = planConfigChange(getClient('cursor'), stdio, place);
    writeFileSync(file, '{"new": 1}');
    expect(() => writeConfigChange(change, () => 0)).toThrow('changed during the operation');
    expect(readFileSync(file, 'utf8')).toBe('{"new": 1}');
  });

  it('prints only the text to copy on standard output, and the equivalent Claude Code command on standard error', async () => {
    const { home } = homeWith('claude-code');
    mkdirSync(join(home, "ada's vault"));
    const { out, err } = await connect(home, ['claude-code', '--vault', "ada's vault"]);
    expect(JSON.parse(out)).toMatchObject({
      mcpServers: { keepsake: { args: ['mcp', '--vault', join(home, "ada's vault")] } },
    });
    expect(err).toContain(
      `claude mcp add --scope user keepsake -- keepsake mcp --vault '${home}/ada'\\''s vault'`,
    );
  });

  it('accepts the URL of a server with or without /mcp, and warns when it is not encrypted', async () => {
    const { home } = homeWith('codex');
    const local = await connect(home, ['codex', '--http', 'http://127.0.0.1:4319']);
    expect(local.out).toContain('url = "http://127.0.0.1:4319/mcp"\nbearer_token_env_var = "KEEPSAKE_TOKEN"');
    expect(local.err).not.toContain('warning');
    const far = await connect(home, ['codex', '--http', 'http://10.0.0.5:4319/mcp', '--token-variable', 'T']);
    expect(far.out).toContain('url = "http://10.0.0.5:4319/mcp"\nbearer_token_env_var = "T"');
    expect(far.err).toContain('warning: http://10.0.0.5:4319/mcp is not encrypted');
    expect((await connect(home, ['claude-code', '--http', 'https://v.example'])).err).toContain(
      'claude mcp add --scope user --transport http keepsake https://v.example/mcp --header "Authorization: Bearer $KEEPSAKE_TOKEN"',
    );
  });

  it.each([
    [['codex', '--http', 'vault.example.org'], 'is not a URL'],
    [['codex', '--http', 'https://ada:secret@vault.example.org'], 'use a token'],
    [
      ['codex', '--http', 'https://v.example', '--token-variable', 'ks-secret'],
      'not the name of an environment',
    ],
    [['codex', '--http', 'https://v.example', '--read-only'], 'cannot be used with'],
    [['codex', '--print', '--write'], 'cannot be used with'],
    [['codex', '--vault', 'nowhere'], 'cannot open'],
    [['--write'], 'missing client'],
    [['emacs'], 'Allowed choices are'],
  ])('rejects %j: %s', async (args, reason) => {
    const { home } = homeWith('codex');
    expect(await refusal(home, args)).toContain(reason);
  });

  it('names the launcher with --by-path, for clients that would not find keepsake', async () => {
    const { home } = homeWith('claude-desktop');
    const { out } = await connect(home, ['claude-desktop', '--by-path', '--json', '--vault', 'vault']);
    const { server } = JSON.parse(out) as { server: { command: string; args: string[] } };
    expect(server.command).toBe(join(home, '.local/share/keepsake/keepsake-launcher'));
    expect(execFileSync(server.command, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(server.args).toEqual(['mcp', '--vault', join(home, 'vault')]);
  });

  it('lists the clients and detects the installed ones', async () => {
    const { home } = homeWith('cursor', '{}');
    const { clients } = JSON.parse((await connect(home, ['--json'])).out) as {
      clients: { client: string; isFound: boolean }[];
    };
    expect(clients.map(({ client }) => client)).toEqual(clientNames);
    expect(clients.filter(({ isFound }) => isFound).map(({ client }) => client)).toContain('cursor');
    expect((await connect(home, [])).out).toMatch(/^cursor {10}found {6}.*\.cursor\/mcp\.json$/m);
  });

  it('prints JSON with --json when it writes', async () => {
    const { home, file } = homeWith('gemini-cli', '{}');
    const { out } = await connect(home, ['gemini-cli', '--write', '--json', '--vault', 'vault']);
    expect(JSON.parse(out)).toEqual({
      client: 'gemini-cli',
      outcome: 'changed',
      file,
      target: file,
      backup: backupsOf(file)[0],
      diff: expect.stringContaining('+++ '),
    });
  });

  it('prints the conventions as the documentation shows them, and as a skill for Claude Code', async () => {
    const { home } = homeWith('codex');
    const { out, err } = await connect(home, ['codex', '--instructions']);
    expect(err).toContain('AGENTS.md');
    for (const word of [
      'overview.md',
      'profile.md',
      'changelog',
      'tasks.md',
      'inbox/',
      'Search before you write',
    ])
      expect(out).toContain(word);
    expect(out).toContain('are not instructions');
    const skill = await connect(home, ['claude-code', '--instructions']);
    expect(skill.out).toMatch(/^---\nname: keepsake\ndescription: .*\n---\n\n# Keepsake/);
    expect(skill.err).toContain('~/.claude/skills/keepsake/SKILL.md');
    expect(readFileSync('docs/connect/ai-tools.md', 'utf8')).toContain(out.trimEnd());
  });

  it('writes the entries that the documentation shows', () => {
    const documentation = readFileSync('docs/connect/ai-tools.md', 'utf8');
    const args = ['mcp', '--vault', '/home/ada/vault'];
    for (const name of clientNames) expect(documentation).toContain(alone(name, { ...stdio, args }));
  });
});

describe('the plugin', () => {
  /** A fake client that records its calls, and exits with the given code. */
  function homeHaving(client: string, ending = 0): { home: string; calls: () => string[] } {
    const home = temporaryFolder();
    const log = join(home, 'calls');
    layOut(home, {
      'vault/.keepsake/vault.json': '{"id":"00000000-0000-4000-8000-000000000000","version":1}',
      [`bin/${client}`]: `#!/bin/sh\necho "$*" >> '${log}'\nexit ${ending}\n`,
    });
    chmodSync(join(home, 'bin', client), 0o755);
    return { home, calls: () => readFileSync(log, 'utf8').trimEnd().split('\n') };
  }
  const written = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

  it("is written with the launcher, and installed and uninstalled with the client's own command", async () => {
    const { home, calls } = homeHaving('claude');
    const folder = join(home, '.local', 'share', 'keepsake', 'plugin');
    const { out, err } = await connect(home, ['claude-code', '--write', '--vault', join(home, 'vault')]);
    expect(calls()).toEqual([`plugin marketplace add ${folder}`, 'plugin install keepsake@keepsake']);
    expect(out).toContain('installed the keepsake plugin in Claude Code');
    expect(err).toContain('keepsake config capture never');
    const { hooks } = JSON.parse(written(folder, 'keepsake/hooks/hooks.json')) as {
      hooks: Record<string, { hooks: { timeout: number }[] }[]>;
    };
    // Hooks that record have a longer timeout, for busy machines.
    expect(Object.values(hooks).map(([group]) => group?.hooks[0]?.timeout)).toEqual([5, 30, 30, 5, 30, 3]);
    expect(Object.keys(hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'Stop',
      'PreCompact',
      'PostCompact',
      'SessionEnd',
    ]);
    const launcher = join(home, '.local/share/keepsake/keepsake-launcher');
    expect(JSON.stringify(hooks)).toContain(`"${launcher} hook auto prompt"`);
    expect(written(launcher, '')).toContain(process.execPath);
    expect(written(folder, 'keepsake/.mcp.json')).toContain(join(home, 'vault'));
    expect(JSON.parse(written(home, '.config/keepsake/sessions.json'))).toMatchObject({
      capture: 'linked',
      clients: ['claude-code'],
    });
    await connect(home, ['claude-code'], 'disconnect');
    expect(calls().slice(2)).toEqual([
      'plugin uninstall keepsake@keepsake',
      'plugin marketplace remove keepsake',
    ]);
    expect(existsSync(folder)).toBe(false);
  });

  it('is previewed with every file, command and hook, and where it applies', async () => {
    const { home, calls } = homeHaving('claude');
    const folder = join(home, '.local', 'share', 'keepsake', 'plugin');
    const args = ['claude-code', '--vault', join(home, 'vault')];
    const { out, err } = await connect(home, args);
    expect(existsSync(folder) || existsSync(join(home, '.config'))).toBe(false);
    expect(err).toContain('claude mcp add --scope user keepsake');
    await connect(home, [...args, '--write']);
    for (const call of calls()) expect(out).toContain(`runs claude ${call}\n`);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
    for (const file of files) expect(out).toContain(file);
    expect(files).not.toHaveLength(0);
    expect(out).toContain('SessionStart, UserPromptSubmit, Stop, PreCompact, PostCompact, SessionEnd');
    expect(out).toContain('sessions in linked folders are recorded');
    expect(out).toContain('applies to all your projects\n  takes effect in new sessions');
    expect((await connect(home, [])).out).toMatch(/^claude-code {5}connected /m);
  });

  it('is not used without the command of the client, and the folder that it applies to is named', async () => {
    const { home } = homeHaving('unrelated');
    const args = ['claude-code', '--vault', join(home, 'vault')];
    const reason = 'the command claude was not found';
    expect((await connect(home, args)).err).toContain(
      `applies only to sessions in ${home} (${reason})\n  takes effect in new sessions`,
    );
    expect((await connect(home, [...args, '--write'])).err).toContain(`note: ${reason}, so Claude Code`);
  });

  it('is previewed next to the change of the existing configuration file', async () => {
    const { home } = homeHaving('unrelated');
    layOut(home, { '.cursor/mcp.json': '{}' });
    const args = ['cursor', '--vault', join(home, 'vault')];
    const { err } = await connect(home, args);
    expect(err).toContain(`writes a plugin to ${join(home, '.cursor/plugins/local/keepsake')}: `);
    const { out } = await connect(home, [...args, '--write']);
    const diff = out.slice(0, out.indexOf('\nchanged '));
    expect(diff).toContain('+++ ');
    expect(err).toContain(diff.trimEnd());
    expect((await connect(home, args)).err).toContain('mcp.json is already up to date');
    layOut(home, { '.cursor/mcp.json': '{' });
    expect((await connect(home, args)).err).toContain('--write would fail: ');
  });

  it('is an extension for Gemini CLI, which is uninstalled before it is installed again', async () => {
    const { home, calls } = homeHaving('gemini');
    const folder = join(home, '.local', 'share', 'keepsake', 'gemini-extension');
    await connect(home, ['gemini-cli', '--write', '--vault', join(home, 'vault')]);
    expect(calls()).toEqual(['extensions uninstall keepsake', `extensions install ${folder} --consent`]);
    expect(JSON.parse(written(folder, 'gemini-extension.json'))).toMatchObject({
      name: 'keepsake',
      mcpServers: { keepsake: { args: expect.arrayContaining([join(home, 'vault')]) } },
    });
    expect(written(folder, 'hooks/hooks.json')).toMatch(/hook gemini-cli after-agent",\s*"timeout": 30000/);
    expect(written(folder, 'skills/keepsake/SKILL.md')).toMatch(/^---\nname: keepsake\n/);
    await connect(home, ['gemini-cli'], 'disconnect');
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ['cursor', '.cursor/plugins/local/keepsake/hooks/hooks.json', '.cursor/plugins/local/mine/a'],
    ['opencode', '.config/opencode/plugins/keepsake.js', '.config/opencode/plugins/mine.js'],
  ])('is written where %s expects it, next to the entry and existing files', async (name, file, other) => {
    const { home } = homeHaving('unrelated');
    const personal = getClient(name).userConfigFile?.(machineOf('linux', { home })) ?? '';
    const before = `{\n  // mine\n  "theme": "dark"\n}\n`;
    layOut(home, { [other]: 'mine' });
    layOut(dirname(personal), { [basename(personal)]: before });
    await connect(home, [name, '--write', '--vault', join(home, 'vault')]);
    expect(written(home, file)).toContain(`hook${name === 'cursor' ? ` ${name} prompt` : `', '${name}'`}`);
    expect(written(home, file)).toMatch(/prompt",\s*"timeout": 30\b|"prompt":30000\b/);
    expect(readFileSync(personal, 'utf8')).toContain('"keepsake"');
    await connect(home, [name], 'disconnect');
    expect(existsSync(join(home, file))).toBe(false);
    expect(written(home, other)).toBe('mine');
    expect(readFileSync(personal, 'utf8')).toBe(before);
  });

  it('is written as a portable folder, and overwrites nothing else', async () => {
    const { home } = homeHaving('unrelated');
    const folder = join(home, 'portable');
    const args = ['--agent-plugin', folder, '--vault', join(home, 'vault')];
    await connect(home, args);
    await connect(home, args);
    expect(JSON.parse(written(folder, 'mcp.json'))).toMatchObject({
      mcpServers: { keepsake: { type: 'stdio', command: 'keepsake' } },
    });
    expect(JSON.parse(written(folder, 'plugin.json'))).toMatchObject({ name: 'keepsake' });
    layOut(home, { 'portable/plugin.json': '{"name":"mine"}' });
    expect(await refusal(home, args)).toContain('contains other files');
  });

  it('is not installed if the client fails, and the exit code is reported', async () => {
    const { home } = homeHaving('codex', 3);
    const args = ['codex', '--write', '--vault', join(home, 'vault')];
    expect(await refusal(home, args)).toContain('exit code 3');
  });

  it('is not installed for a single project', async () => {
    const { home } = homeHaving('claude');
    await connect(home, ['claude-code', '--write', '--project', home, '--vault', join(home, 'vault')]);
    expect(existsSync(join(home, '.mcp.json'))).toBe(true);
    expect(existsSync(join(home, 'calls'))).toBe(false);
  });
});

describe('keepsake uninstall', () => {
  it('shows what it would remove, then removes it, and leaves the vault and the files of others alone', async () => {
    const home = temporaryFolder();
    layOut(home, {
      'vault/.keepsake/vault.json': '{"id":"00000000-0000-4000-8000-000000000000","version":1}',
      'vault/note.md': 'mine',
      '.config/systemd/user/keepsake.service': '[Service]\n',
      '.config/systemd/user/other.service': '[Service]\n',
      '.cursor/mcp.json': '{"mcpServers":{"other":{"command":"x"}}}',
      '.local/state/keepsake/vaults/a/journal': 'history',
      'bin/systemctl': `#!/bin/sh\necho "$*" > '${join(home, 'stopped')}'\n`,
    });
    chmodSync(join(home, 'bin', 'systemctl'), 0o755);
    await connect(home, ['cursor', '--write', '--vault', join(home, 'vault')]);
    const { out, err } = await connect(home, [], 'uninstall');
    expect(out).toBe(
      `service ${join(home, '.config/systemd/user/keepsake.service')}\nplugin and configuration entry of cursor\n${join(home, '.local/share/keepsake/keepsake-launcher')}\n`,
    );
    expect(err).toContain('keepsake uninstall --yes');
    expect(err).toContain(`your vault is unchanged: ${join(home, 'vault')}`);
    const is = (path: string): boolean => existsSync(join(home, path));
    expect(is('stopped') || !is('.config/systemd/user/keepsake.service')).toBe(false);
    await connect(home, ['--yes'], 'uninstall');
    expect(readFileSync(join(home, 'stopped'), 'utf8')).toBe('--user disable --now keepsake\n');
    expect(is('.config/systemd/user/keepsake.service')).toBe(false);
    expect(is('.config/systemd/user/other.service')).toBe(true);
    expect(is('.cursor/plugins/local/keepsake')).toBe(false);
    expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).toBe(
      '{"mcpServers":{"other":{"command":"x"}}}',
    );
    expect(is('.local/state/keepsake/vaults/a/journal')).toBe(true);
    layOut(home, { '.local/state/keepsake/mine/.keepsake/vault.json': '{}' });
    expect(await runIn(home, ['uninstall', '--yes', '--state'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('it contains a vault'),
    });
    expect(is('.local/state/keepsake/mine/.keepsake/vault.json')).toBe(true);
    rmSync(join(home, '.local/state/keepsake/mine'), { recursive: true });
    await connect(home, ['--yes', '--state'], 'uninstall');
    expect(is('.local/state/keepsake') || is('.config/keepsake')).toBe(false);
    expect(readFileSync(join(home, 'vault/note.md'), 'utf8')).toBe('mine');
  });
});
