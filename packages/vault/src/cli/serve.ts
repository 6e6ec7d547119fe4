import type { Command } from 'commander';
import { AppError, findOwner, stateFolderFor } from '../app/index.ts';
import { startHost, startVaults } from '../server/index.ts';
import type { Host } from '../server/index.ts';
import { examples, vaultCommand, wholeNumber } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { publicAddress } from './public-address.ts';

type ServeOptions = VaultOptions & {
  host: string;
  port: number;
  public?: string;
  vaults?: string;
  readOnly?: boolean;
  allowHost?: string[];
};

export function serveCommand(cli: Cli): Command {
  const command = vaultCommand('serve')
    .summary('serve the vault to browsers, scripts and MCP clients')
    .description(
      'Keeps index, stamps and tree.md true, works on what is handed over, and answers HTTP and MCP until it is stopped.',
    )
    .option(
      '--vaults <folder>',
      'serve every vault in this folder, each at /v/<name>/, opened when asked for',
    )
    .option('--host <address>', 'where to listen; beyond this machine only with tokens', '127.0.0.1')
    .option('--port <number>', 'on which port', wholeNumber, 4319)
    .option('--allow-host <name...>', 'names under which it may be reached, besides that of this machine')
    .option(
      '--public <address>',
      'under which a proxy makes it known, as https://notes.example.org',
      publicAddress,
    )
    .option('--read-only', 'MCP clients may look and not write')
    .action(async (options: ServeOptions) => {
      const log = (entry: object): void => void cli.stderr.write(`${JSON.stringify(entry)}\n`);
      const onReady = (host: Host): void =>
        void cli.stdout.write(
          `serving ${host.keepsake.root}\nopen ${host.createLink()}\nMCP at ${options.public ?? host.url}/mcp\n`,
        );
      await (options.vaults === undefined
        ? serve(cli, { ...options, log, onReady })
        : serveVaults(cli, { ...options, folder: options.vaults, log }));
      cli.finish(exitCode.ok);
    });
  return examples(command, [
    'serve',
    'serve --port 8080',
    'serve --host 0.0.0.0 --allow-host vault.example.org',
    'serve --public https://notes.example.org',
    'serve --vaults ~/vaults',
  ]);
}

/** Serves every vault of a folder until the process is told to stop. */
async function serveVaults(
  { environment, stdout, signals }: Cli,
  options: ServeOptions & { folder: string; log: (entry: object) => void },
): Promise<void> {
  if (options.vault !== undefined || options.state !== undefined)
    throw new AppError('bad-input', '--vaults serves several vaults, --vault and --state name one', {
      mend: 'give one or the other',
    });
  const { folder, host, port, public: publicUrl, readOnly: isReadOnly, allowHost, log } = options;
  const shared = {
    folder: environment.resolve(folder),
    environment,
    host,
    port,
    publicUrl,
    isReadOnly,
    allowedHosts: allowHost,
    log,
  };
  const stopped = Promise.withResolvers<void>();
  const vaults = await startVaults(shared);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => stopped.resolve());
  const address = publicUrl ?? vaults.url;
  const lines = vaults.names().map((name) => `MCP of ${name} at ${address}/v/${name}/mcp`);
  stdout.write(
    [`serving ${lines.length} vaults of ${folder}`, `open ${vaults.createLink()}`, ...lines, ''].join('\n'),
  );
  await stopped.promise;
  await vaults.close();
}

type Serving = ServeOptions & { log: (entry: object) => void; onReady: (host: Host) => void };

/** Serves a vault until the process is told to stop, or another takes over. */
export async function serve({ environment, signals }: Cli, options: Serving): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const host = await startHost({
    vault: options.vault,
    state: options.state,
    environment,
    host: options.host,
    port: options.port,
    publicUrl: options.public,
    isReadOnly: options.readOnly,
    allowedHosts: options.allowHost,
    log: options.log,
    onLost: () => stopped.resolve(),
  });
  if (host === null) {
    const owner = findOwner(stateFolderFor({ ...options, environment }), Date.now);
    throw new AppError(
      'bad-state',
      `this vault is served already${owner === null ? '' : `, by process ${owner.pid} at ${owner.url}`}`,
    );
  }
  // Before anybody is told: whoever reads the link may stop us at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => stopped.resolve());
  options.onReady(host);
  await stopped.promise;
  await host.close();
}
