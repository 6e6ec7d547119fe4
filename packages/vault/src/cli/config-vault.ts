import { Command } from 'commander';
import { AppError, configuredVault, setConfigured } from '../app/index.ts';
import { openRoot, readIdentity } from '../vault/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';

/** `show` prints which one it is now. */
export function defaultVaultCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('vault')
    .summary('say which vault commands use outside of any')
    .description('Says which vault commands use that are given outside of any vault, or shows it.')
    .argument('[folder]', 'the vault')
    .option('--none', 'use none')
    .action((folder: string | undefined, { none }: { none?: boolean }) => {
      if (folder !== undefined && none === true)
        throw new AppError('bad-input', 'give a folder or --none, not both');
      const { environment } = cli;
      if (folder !== undefined) {
        const root = openRoot(environment.resolve(folder));
        if (readIdentity(root) === null)
          throw new AppError('bad-input', `${root} is no vault`, {
            mend: `make it one with: keepsake init ${root}`,
          });
        setConfigured(environment, { place: ['vault'], value: root });
      } else if (none === true) setConfigured(environment, { place: ['vault'], value: null });
      show({ file: environment.configFile, vault: configuredVault(environment) ?? 'none' });
    });
  return examples(command, ['config vault', 'config vault ~/vault', 'config vault --none']);
}
