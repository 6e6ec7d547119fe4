import { Option } from 'commander';
import type { Command } from 'commander';
import { parseInteger } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { bundledSystemNames, createSystemFactory } from '../eval/index.ts';
import type { SystemDescription, SystemFactory } from '../eval/index.ts';
import { readBenchmarkVersion } from './read-version.ts';

export type SystemOptions = {
  system?: string;
  pass?: string[];
  timeout: number;
  withoutLayout?: boolean;
  card?: string;
};

/** The options of commands that measure another system than the agents of Keepsake. */
export function addSystemOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--system <system>',
        `measure a memory system instead of the agents: ${bundledSystemNames.join(', ')}, the mapping file of an MCP server, or a command that speaks the line protocol`,
      ),
    )
    .option('--without-layout', 'score every system as if it had no files')
    .option('--pass <variables...>', 'environment variables that the system gets, such as an API key')
    .addOption(
      new Option('--timeout <seconds>', 'maximum duration of one request to the system')
        .argParser(parseInteger)
        .default(60),
    )
    .option('--card <file>', 'write a result card: versions, options, hashes and figures');
}

export function systemFactory(
  cli: Cli,
  { system, pass = [], timeout }: SystemOptions & { system: string },
  onStart: (described: SystemDescription) => void = () => undefined,
): SystemFactory {
  const { environment } = cli;
  const start = createSystemFactory({
    system,
    environment,
    version: readBenchmarkVersion(),
    cwd: environment.cwd(),
    pass,
    timeoutMs: timeout * 1000,
  });
  return async (folder) => {
    const started = await start(folder);
    const { name, version, model, keepsFiles, offers } = started;
    onStart({ name, version, model, keepsFiles, offers: [...offers] });
    return started;
  };
}
