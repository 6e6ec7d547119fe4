import type { Command } from 'commander';
import { AppError, findOwnerProcess, resolveStateFolder } from '../app/index.ts';
import { startVaultHost, startMultiVaultServer } from '../server/index.ts';
import type { VaultHost } from '../server/index.ts';
import { withExamples, vaultCommand, parseInteger } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { createLog } from './log-line.ts';
import { parsePublicUrl } from './parse-public-url.ts';

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
      'Serve HTTP and MCP, process updates, and keep the index, stamps and tree.md up to date, until stopped. The log is JSON, on a terminal plain words; with --json always JSON.',
    )
    .option('--vaults <folder>', 'serve every vault in this folder at /v/<name>/, opened on demand')
    .option('--host <address>', 'address to listen on; non-loopback addresses require tokens', '127.0.0.1')
    .option('--port <number>', 'port to listen on', parseInteger, 4319)
    .option('--allow-host <name...>', 'additional host names to accept')
    .option(
      '--public <address>',
      'public URL behind a reverse proxy, for example https://notes.example.org',
      parsePublicUrl,
    )
    .option('--read-only', 'read-only access for MCP clients')
    .action(async (options: ServeOptions) => {
      const isForPerson = cli.stderr.isTTY === true && options.json !== true;
      const log = createLog(cli, { isForPerson });
      const onReady = (host: VaultHost): void =>
        void cli.stdout.write(
          `serving ${host.keepsake.root}\nopen ${host.createLoginLink()}\nMCP at ${options.public ?? host.url}/mcp\n`,
        );
      if (options.vaults === undefined) return serve(cli, { ...options, log, onReady });
      await serveVaults(cli, { ...options, folder: options.vaults, log });
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'serve',
    'serve --port 8080',
    'serve --host 0.0.0.0 --allow-host vault.example.org',
    'serve --public https://notes.example.org',
    'serve --vaults ~/vaults',
  ]);
}

/** Serves every vault of a folder until the process gets a signal to stop. */
async function serveVaults(
  { environment, stdout, signals }: Cli,
  options: ServeOptions & { folder: string; log: (entry: object) => void },
): Promise<void> {
  if (options.vault !== undefined || options.state !== undefined)
    throw new AppError('bad-input', '--vaults cannot be combined with --vault or --state', {
      hint: 'use one or the other',
    });
  const { folder, host, port, public: publicUrl, readOnly: isReadOnly, allowHost, log } = options;
  const shared = {
    folder: environment.resolve(folder),
    environment: { ...environment, servesOthers: true },
    host,
    port,
    publicUrl,
    isReadOnly,
    allowedHosts: allowHost,
    log,
  };
  const stopped = Promise.withResolvers<void>();
  const vaults = await startMultiVaultServer(shared);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => stopped.resolve());
  const address = publicUrl ?? vaults.url;
  const lines = vaults.names().map((name) => `MCP for ${name} at ${address}/v/${name}/mcp`);
  stdout.write(
    [`serving ${lines.length} vaults in ${folder}`, `open ${vaults.createLoginLink()}`, ...lines, ''].join(
      '\n',
    ),
  );
  await stopped.promise;
  await vaults.close();
}

type ServeVaultOptions = ServeOptions & { log: (entry: object) => void; onReady: (host: VaultHost) => void };

/** Whether other machines can reach the server, and so perhaps other people. */
function isReachable({ host, public: publicUrl, allowHost = [] }: ServeOptions): boolean {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host);
  return publicUrl !== undefined || allowHost.length > 0 || !isLocal;
}

/** How long a process that has lost the vault may take to close it, in milliseconds. */
const maxCloseMs = 10_000;

/** Serves a vault until the process gets a signal to stop, or another process takes over, which is an error. */
export async function serve(cli: Cli, options: ServeVaultOptions): Promise<void> {
  const { environment, signals } = cli;
  const stopped = Promise.withResolvers<'signal' | 'lost'>();
  const host = await startVaultHost({
    vault: options.vault,
    state: options.state,
    environment: { ...environment, servesOthers: isReachable(options) },
    host: options.host,
    port: options.port,
    publicUrl: options.public,
    isReadOnly: options.readOnly,
    allowedHosts: options.allowHost,
    log: options.log,
    onLeaseLost: () => stopped.resolve('lost'),
  });
  if (host === null) {
    const owner = findOwnerProcess(resolveStateFolder({ ...options, environment }), Date.now);
    throw new AppError(
      'bad-state',
      `the vault is already being served${owner === null ? '' : ` by process ${owner.pid} at ${owner.url}`}`,
    );
  }
  // Registered before the link is printed, because a program that reads the link may send a signal immediately.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.once(signal, () => stopped.resolve('signal'));
  options.onReady(host);
  const why = await stopped.promise;
  if (why === 'signal') {
    await host.close();
    return cli.finish(exitCode.ok);
  }
  // What is running may wait for the lock, or never end; the service manager starts a new process.
  const giveUp = setTimeout(() => cli.exit(exitCode.errors), maxCloseMs);
  await host.close().catch((error: unknown) => options.log({ level: 'error', message: String(error) }));
  clearTimeout(giveUp);
  cli.finish(exitCode.errors);
}
