import { styleText } from 'node:util';
import type { Command } from 'commander';
import { chooseVault, diagnose, readEnvironment } from '../app/index.ts';
import type { Check, Environment } from '../app/index.ts';
import { captureStatus, checkCapture } from '../sessions/index.ts';
import { openRoot } from '../vault/index.ts';
import { examples, vaultCommand } from './command.ts';
import type { Finish, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';

export function doctorCommand(finish: Finish): Command {
  const command = vaultCommand('doctor')
    .summary('check that everything is in order')
    .description('Checks everything Keepsake needs and says how to mend what is not in order.')
    .action(async ({ vault, state, json }: VaultOptions) => {
      const environment = readEnvironment();
      const checks = [...(await diagnose({ vault, state, environment })), ...sessions(vault, environment)];
      process.stdout.write(
        json === true ? `${JSON.stringify({ checks }, null, 2)}\n` : checks.map(line).join(''),
      );
      finish(checks.some(({ status }) => status === 'failed') ? exitCode.errors : exitCode.ok);
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

function line({ name, status, message, mend }: Check): string {
  const mark = {
    ok: styleText('green', 'ok     '),
    warning: styleText('yellow', 'warning'),
    failed: styleText('red', 'failed '),
  }[status];
  const indent = ' '.repeat(9);
  const text = `${mark}  ${name}: ${message.replaceAll('\n', `\n${indent}`)}\n`;
  return mend === '' ? text : `${text}${indent}→ ${mend}\n`;
}
