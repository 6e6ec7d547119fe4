import { styleText } from 'node:util';
import type { Command } from 'commander';
import { chooseVault, diagnose } from '../app/index.ts';
import type { Check, Environment } from '../app/index.ts';
import { captureStatus, checkCapture } from '../sessions/index.ts';
import { openRoot } from '../vault/index.ts';
import { examples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { Output } from './io.ts';

export function doctorCommand(cli: Cli): Command {
  const command = vaultCommand('doctor')
    .summary('check that everything is in order')
    .description('Checks everything Keepsake needs and says how to mend what is not in order.')
    .action(async ({ vault, state, json }: VaultOptions) => {
      const { environment, stdout } = cli;
      const checks = [...(await diagnose({ vault, state, environment })), ...sessions(vault, environment)];
      stdout.write(
        json === true
          ? `${JSON.stringify({ checks }, null, 2)}\n`
          : checks.map((check) => line(check, stdout)).join(''),
      );
      cli.finish(checks.some(({ status }) => status === 'failed') ? exitCode.errors : exitCode.ok);
    });
  return examples(command, ['doctor', 'doctor --vault ~/vault']);
}

/** What the hooks of AI clients tell; nothing where the vault itself cannot be opened. */
function sessions(vault: string | undefined, environment: Environment): Check[] {
  try {
    const root = openRoot(chooseVault(vault, environment));
    return checkCapture(captureStatus(environment, root));
  } catch {
    return [];
  }
}

function line({ name, status, message, mend }: Check, stream: Output): string {
  const mark = {
    ok: styleText('green', 'ok     ', { stream }),
    warning: styleText('yellow', 'warning', { stream }),
    failed: styleText('red', 'failed ', { stream }),
  }[status];
  const indent = ' '.repeat(9);
  const text = `${mark}  ${name}: ${message.replaceAll('\n', `\n${indent}`)}\n`;
  return mend === '' ? text : `${text}${indent}→ ${mend}\n`;
}
