import { Argument, Command } from 'commander';
import { captureModes, readSettings } from '../hook/index.ts';
import type { CaptureMode } from '../hook/index.ts';
import { updateSettings } from '../sessions/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';

/** `show` prints the current setting. */
export function captureModeCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('capture')
    .summary('choose which AI sessions are recorded')
    .description(
      'Choose which sessions of connected AI clients are recorded: those in linked folders, all, or none. Without an argument, show the setting. To skip one session, set KEEPSAKE_CAPTURE=off.',
    )
    .addArgument(new Argument('[which]', 'sessions to record').choices(captureModes))
    .option('--unattended', 'also record unattended sessions, such as scripts')
    .option('--no-unattended', 'do not record unattended sessions (default)')
    .action((which: CaptureMode | undefined, { unattended }: { unattended?: boolean }) => {
      const { environment } = cli;
      const settings =
        which === undefined
          ? readSettings(environment.configurationHome)
          : updateSettings(environment, (now) => ({
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
  return withExamples(command, ['config capture', 'config capture linked', 'config capture never']);
}
