import { Argument, Command } from 'commander';
import { captureModes, readSettings } from '../hook/index.ts';
import type { CaptureMode } from '../hook/index.ts';
import { changeSettings } from '../sessions/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';

/** `show` prints what is recorded now. */
export function captureModeCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('capture')
    .summary('say which sessions of AI clients are recorded')
    .description(
      'Says which sessions of connected AI clients are recorded: those in linked folders, all of them, or none; or shows it. For one session: KEEPSAKE_CAPTURE=off.',
    )
    .addArgument(new Argument('[which]', 'which ones').choices(captureModes))
    .option('--unattended', 'also those that nobody sits at, as of scripts')
    .option('--no-unattended', 'not those; the default')
    .action((which: CaptureMode | undefined, { unattended }: { unattended?: boolean }) => {
      const { environment } = cli;
      const settings =
        which === undefined
          ? readSettings(environment.configurationHome)
          : changeSettings(environment, (now) => ({
              ...now,
              capture: which,
              unattended: unattended === true,
            }));
      show({
        capture: settings.capture,
        unattended: String(settings.unattended),
        vault: settings.vault ?? 'none',
      });
    });
  return examples(command, ['config capture', 'config capture linked', 'config capture never']);
}
