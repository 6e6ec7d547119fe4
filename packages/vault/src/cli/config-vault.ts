import { Command } from 'commander';
import { AppError, openVaultRoot, readConfiguredVault, writeConfiguration } from '../app/index.ts';
import { readIdentity } from '../vault/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';

/** `show` prints the current default vault. */
export function defaultVaultCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('vault')
    .summary('set the default vault')
    .description('Set the vault that commands use outside of any vault. Without an argument, show it.')
    .argument('[folder]', 'vault folder')
    .option('--none', 'remove the default vault')
    .action((folder: string | undefined, { none }: { none?: boolean }) => {
      if (folder !== undefined && none === true)
        throw new AppError('bad-input', 'pass a folder or --none, not both');
      const { environment } = cli;
      if (folder !== undefined) {
        const root = openVaultRoot({ vault: folder, environment });
        if (readIdentity(root) === null)
          throw new AppError('bad-input', `${root} is not a vault`, {
            hint: `initialize it with: keepsake init ${root}`,
          });
        writeConfiguration(environment, { place: ['vault'], value: root });
      } else if (none === true) writeConfiguration(environment, { place: ['vault'], value: null });
      show({ file: environment.configFile, vault: readConfiguredVault(environment) ?? 'none' });
    });
  return withExamples(command, ['config vault', 'config vault ~/vault', 'config vault --none']);
}
