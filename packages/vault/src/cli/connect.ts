import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { AppError, readPackageVersion } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import {
  getClient,
  clientNames,
  createEntry,
  detectClients,
  buildInstructions,
  findEntries,
  isPlaintextUrl,
  formatAddCommand,
  planConfigChange,
  resolveConfigLocation,
  createPortablePlugin,
  readPlatform,
  buildSkill,
  addEntry,
  writePortablePlugin,
} from '../connect/index.ts';
import type { Client, Platform } from '../connect/index.ts';
import { readSettings } from '../hook/index.ts';
import type { Layout } from '../vault/index.ts';
import { withExamples, vaultCommand } from './command.ts';
import type { Cli } from './command.ts';
import { connectMemory } from './connect-memory.ts';
import {
  applyConnection,
  describeCapture,
  describePlan,
  ensureLauncher,
  planConnection,
  resolveLayout,
  serverFor,
} from './connect-plan.ts';
import type { ConnectionPlan, ConnectionTarget } from './connect-plan.ts';
import { exitCode } from './exit-code.ts';
import { note, printText } from './print-outcome.ts';

type Options = ConnectionTarget & {
  write?: boolean;
  memory?: boolean;
  instructions?: boolean;
  agentPlugin?: string;
};

export function connectCommand(cli: Cli): Command {
  const command = vaultCommand('connect')
    .summary('connect an AI client to the vault')
    .description(
      'Show what connecting an AI client to the vault changes, and the configuration to copy; do it with --write. Without a client, list the supported ones.',
    )
    .addArgument(new Argument('[client]', 'AI client').choices(clientNames))
    .addOption(new Option('--print', 'print the configuration (default)').conflicts('write'))
    .option(
      '--write',
      "install it: as a plugin for Claude Code, Codex and Gemini CLI, otherwise in the client's configuration file (backed up first)",
    )
    .option(
      '--project <folder>',
      'use the project configuration in this folder instead of the user configuration',
    )
    .option('--read-only', 'read-only access')
    .option('--by-path', 'use absolute paths, for clients that cannot find keepsake on PATH')
    .addOption(
      new Option(
        '--http <address>',
        'connect to a running server, for example http://127.0.0.1:4319',
      ).conflicts(['readOnly', 'byPath']),
    )
    .option('--token-variable <name>', 'environment variable with the token', 'KEEPSAKE_TOKEN')
    .addOption(new Option('--instructions', "print instructions for the client's model").conflicts('write'))
    .addOption(
      new Option(
        '--memory',
        "let Claude Code keep its own memory of the linked repository in the project's bucket",
      ).conflicts(['http', 'instructions', 'agentPlugin']),
    )
    .option('--agent-plugin <folder>', 'write an Agent Plugins 1.0 package to this folder')
    .action((name: string | undefined, options: Options) => {
      runConnect(cli, name === undefined ? null : getClient(name), options);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'connect',
    'connect claude-code --vault ~/vault',
    'connect cursor --write',
    'connect vscode --write --project . --read-only',
    'connect codex --http https://vault.example.org --token-variable VAULT_TOKEN',
    'connect claude-code --memory --write',
    'connect claude-code --instructions',
  ]);
}

function runConnect(cli: Cli, client: Client | null, options: Options): void {
  const { environment } = cli;
  const machine = readPlatform(environment);
  if (options.instructions === true)
    return printInstructions(cli, client, resolveLayout(options, environment), options);
  if (options.agentPlugin !== undefined) return writePortableFolder(cli, options.agentPlugin, options);
  if (client === null) {
    if (options.write === true)
      throw new AppError('bad-input', `missing client; one of ${clientNames.join(', ')}`);
    return listClients(cli, machine, options);
  }
  if (options.memory === true) {
    if (client.name !== 'claude-code')
      throw new AppError('bad-input', `${client.title} has no memory folder`, {
        hint: 'use keepsake connect claude-code --memory, or keepsake import memories',
      });
    return connectMemory(cli, options);
  }
  const plan = planConnection(cli, client, options);
  const { server } = plan;
  if (server.kind === 'http' && isPlaintextUrl(server.url))
    note(cli, `warning: ${server.url} is not encrypted; the token and your notes can be intercepted`);
  if (options.write === true) connect(cli, plan, options);
  else {
    // The text to copy names it.
    if (options.byPath === true) ensureLauncher(cli);
    preview(cli, plan, options);
  }
}

/** Standard output gets the changes of configuration files; the commands and the next steps go to standard error. */
function connect(cli: Cli, plan: ConnectionPlan, options: Options): void {
  const { client, plugin, file } = plan;
  const isQuiet = options.json === true;
  const result = applyConnection(cli, plan, options, {
    result: (text) => isQuiet || printText(cli, text),
    note: (text) => isQuiet || note(cli, text),
  });
  if (isQuiet) return printUnwrapped(cli, JSON.stringify(result, null, 2));
  if (plugin !== null) {
    const print = file === null ? printText : note;
    print(cli, `installed the keepsake plugin in ${client.title}: tools, and a brief at session start`);
  }
  if (plan.onlyIn?.reason === 'no-command')
    note(
      cli,
      `note: the command ${client.executable} was not found, so ${client.title} uses Keepsake only in sessions in ${plan.onlyIn.folder}`,
    );
  if (plugin === null) return;
  note(
    cli,
    [
      ...(client.name === 'codex'
        ? ['then, once: start codex, type /hooks and trust the keepsake hooks']
        : []),
      `it takes effect ${client.takesEffect}`,
      'to have the sessions in a repository recorded, run there: keepsake link <project>',
      describeCapture(plugin.capture),
      `remove it with: keepsake disconnect ${client.name}`,
    ].join('\n'),
  );
}

/** Shows what --write does. Standard output gets only the text to copy, or the plan of a plugin, which cannot be copied. */
function preview(cli: Cli, plan: ConnectionPlan, options: Options): void {
  const { client, server, file } = plan;
  const machine = readPlatform(cli.environment);
  const command = formatAddCommand(client, server, machine.platform);
  const text = addEntry(client, server, '');
  const does = describePlan(plan);
  if (options.json === true)
    return printUnwrapped(
      cli,
      JSON.stringify(
        { client: client.name, file, command, server, entry: createEntry(client, server), text, does },
        null,
        2,
      ),
    );
  const list = does.map((line) => `  ${line}`).join('\n');
  if (file === null) {
    printText(cli, `keepsake connect ${client.name} --write\n${list}`);
    if (command !== null) {
      note(cli, '\nfor the tools alone, without brief and recording, run instead:');
      cli.stderr.write(`  ${command}\n`);
    }
    return;
  }
  if (command !== null) {
    note(
      cli,
      `${client.title}, for all projects${server.kind === 'http' ? ' (the token itself is stored)' : ''}:`,
    );
    cli.stderr.write(`\n  ${command}\n\n`);
    note(cli, 'or for a single project:');
  }
  note(cli, `${file}\n`);
  printUnwrapped(cli, text.trimEnd());
  note(
    cli,
    `\n--write does this:\n${list}${describeFileChange(cli, plan, options)}\nthen: ${client.verifyHint}`,
  );
}

/** The change of an existing configuration file as a diff, or why it cannot be changed; empty if there is no file yet. */
function describeFileChange(cli: Cli, { client, server }: ConnectionPlan, { project }: Options): string {
  try {
    const place = resolveConfigLocation(client, readPlatform(cli.environment), {
      project,
      present: cli.cwd(),
    });
    const { outcome, file, diff } = planConfigChange(client, server, place);
    if (outcome === 'unchanged') return `\n\n${file} is already up to date`;
    return outcome === 'created' ? '' : `\n\n${diff}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `\n\n--write would fail: ${describeError(error)}`;
  }
}

function writePortableFolder(cli: Cli, folder: string, options: Options): void {
  const { environment } = cli;
  const server = serverFor(cli, options);
  if (server.kind !== 'stdio')
    throw new AppError('bad-input', 'a plugin starts keepsake mcp and cannot use an HTTP server', {
      hint: 'omit --http',
    });
  const skill = buildSkill(resolveLayout(options, environment));
  writePortablePlugin(
    environment.resolve(folder),
    createPortablePlugin({ version: readPackageVersion(), server, skill }),
  );
  printText(cli, `wrote a plugin with the tools and the skill of keepsake to ${folder}`);
  note(cli, 'install it as the documentation of your client describes; it requires keepsake on PATH');
}

function listClients(cli: Cli, machine: Platform, { json }: Options): void {
  const { clients: connected } = readSettings(cli.environment.configurationHome);
  const entries = findEntries(cli.environment, []);
  const rows = detectClients(machine, cli.environment.searchPath).map(({ client, isFound }) => {
    const own = entries.filter((entry) => entry.client === client);
    return {
      client: client.name,
      title: client.title,
      isFound,
      isConnected: connected.includes(client.name) || own.some(({ isOwn }) => isOwn),
      file: client.userConfigFile?.(machine) ?? null,
      /** Entries named keepsake that start something else. */
      otherPrograms: own.filter(({ isOwn }) => !isOwn).map(({ command }) => command),
    };
  });
  if (json === true) return printUnwrapped(cli, JSON.stringify({ clients: rows }, null, 2));
  const lines = rows.flatMap(({ client, isFound, isConnected, file, otherPrograms }) => [
    `${client.padEnd(16)}${(isConnected ? 'connected' : isFound ? 'found' : 'not found').padEnd(11)}${file ?? 'claude mcp add, or .mcp.json in a project'}`,
    ...otherPrograms.map(
      (command) => `${' '.repeat(16)}its entry keepsake starts another program: ${command?.join(' ')}`,
    ),
  ]);
  printText(cli, lines.join('\n'));
  note(cli, '\nshow what connecting one changes with: keepsake connect <client>; do it with --write');
}

function printInstructions(cli: Cli, client: Client | null, layout: Layout, { json }: Options): void {
  const text = buildInstructions(client, layout);
  if (json === true)
    return printUnwrapped(
      cli,
      JSON.stringify({ client: client?.name ?? null, place: client?.instructions ?? null, text }, null, 2),
    );
  if (client !== null) note(cli, `for ${client.instructions}\n`);
  printUnwrapped(cli, text.trimEnd());
}

/** Text to copy and data stay as they are: a terminal that breaks a line itself copies it whole. */
function printUnwrapped({ stdout }: Cli, text: string): void {
  stdout.write(`${text}\n`);
}
