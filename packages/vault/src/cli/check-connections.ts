import { isAbsolute } from 'node:path';
import type { HealthCheck } from '../app/index.ts';
import { findClientCommands, findEntries, findIncompletePlugins, probeCommand } from '../connect/index.ts';
import type { ClientCommand, IncompletePlugin } from '../connect/index.ts';
import { readSettings } from '../hook/index.ts';
import type { Cli } from './command.ts';

/** Starts every command of Keepsake in the files of AI tools, as the tool does, and reports those that do not start or are missing. */
export async function checkConnections({ environment, variables, cwd }: Cli): Promise<HealthCheck[]> {
  const { clients, links } = readSettings(environment.configurationHome);
  const folders = [...new Set([cwd(), ...Object.keys(links).filter((key) => isAbsolute(key))])];
  const commands = findClientCommands(environment, { clients, folders });
  const probed: { command: ClientCommand; problem: string | null }[] = [];
  // One at a time, because they compete for the processor with each other and could exceed their time.
  for (const command of commands)
    probed.push({ command, problem: await probeCommand(command, { variables, cwd: cwd() }) });
  const dead = Object.values(
    Object.groupBy(
      probed.filter(({ problem }) => problem !== null),
      ({ command, problem }) => [command.file, problem].join('\n'),
    ),
  ).flatMap((group) => (group === undefined ? [] : [describeDead(group)]));
  const incomplete = findIncompletePlugins(environment, clients).map(describeIncomplete);
  const failed = [...incomplete, ...dead];
  const alive = commands.filter(({ title }) => !failed.some(({ name }) => name === title));
  return [
    ...[...new Set(alive.map(({ title }) => title))].map((title) => ({
      name: title,
      status: 'ok' as const,
      message: 'its hooks and tools start',
      hint: '',
    })),
    ...failed,
    ...findEntries(environment, folders)
      .filter(({ isOwn }) => !isOwn)
      .map(({ client, place, command }) => ({
        name: client.title,
        status: 'warning' as const,
        message: `the entry keepsake in ${place.file} starts another program: ${command?.join(' ')}`,
        hint: `rename it, or replace it with: keepsake connect ${client.name} --write`,
      })),
  ];
}

function describeIncomplete({ client, title, folder, missing }: IncompletePlugin): HealthCheck {
  // Only this file says whether the connection was read-only.
  const lostServer = missing.some((path) => /(?:\.mcp|gemini-extension)\.json$/.test(path));
  return {
    name: title,
    status: 'failed',
    message: `its plugin is not complete, so the tool starts no hooks or tools of it: ${missing.join(', ')} missing in ${folder}`,
    hint: `repair it with: keepsake reconnect${lostServer ? `; if it was read-only, with: keepsake connect ${client} --write --read-only` : ''}`,
  };
}

function describeDead(group: { command: ClientCommand; problem: string | null }[]): HealthCheck {
  const [{ command, problem } = { command: null, problem: null }] = group;
  const events = group.flatMap(({ command: { event } }) => event ?? []);
  const what =
    events.length === 0 ? 'the tools do' : events.length === 1 ? `the hook ${events[0]} does` : 'hooks do';
  const line = typeof command?.command === 'string' ? command.command : command?.command.join(' ');
  return {
    name: command?.title ?? '',
    status: 'failed',
    message: `${what} not start: ${problem}\n${line}\nin ${command?.file}`,
    hint: problem?.includes('keepsake reconnect') === true ? '' : `repair it with: ${command?.repair}`,
  };
}
