import { styleText } from 'node:util';
import type { Command } from 'commander';
import { openVaultRoot, diagnose } from '../app/index.ts';
import type { HealthCheck, Environment } from '../app/index.ts';
import { readCaptureStatus, checkCapture, checkTranscriptRetention } from '../sessions/index.ts';
import { checkConnections } from './check-connections.ts';
import { withExamples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { Output } from './io.ts';

export function doctorCommand(cli: Cli): Command {
  const command = vaultCommand('doctor')
    .summary('diagnose problems')
    .description('Check everything Keepsake needs and suggest fixes.')
    .action(async ({ vault, state, json }: VaultOptions) => {
      const { environment, stdout } = cli;
      const checks = [
        ...(await diagnose({ vault, state, environment })),
        ...sessions(vault, environment),
        ...(await checkConnections(cli)),
      ];
      stdout.write(
        json === true
          ? `${JSON.stringify({ checks }, null, 2)}\n`
          : checks.map((check) => line(check, stdout)).join(''),
      );
      cli.finish(checks.some(({ status }) => status === 'failed') ? exitCode.errors : exitCode.ok);
    });
  return withExamples(command, ['doctor', 'doctor --vault ~/vault']);
}

/** Checks the hooks of AI clients; returns no checks if the vault itself cannot be opened. */
function sessions(vault: string | undefined, environment: Environment): HealthCheck[] {
  try {
    const root = openVaultRoot({ vault, environment });
    return [...checkCapture(readCaptureStatus(environment, root)), ...checkTranscriptRetention(environment)];
  } catch {
    return [];
  }
}

function line({ name, status, message, hint }: HealthCheck, stream: Output): string {
  const mark = {
    ok: styleText('green', 'ok     ', { stream }),
    warning: styleText('yellow', 'warning', { stream }),
    failed: styleText('red', 'failed ', { stream }),
  }[status];
  const indent = ' '.repeat(9);
  const text = `${mark}  ${name}: ${message.replaceAll('\n', `\n${indent}`)}\n`;
  return hint === '' ? text : `${text}${indent}→ ${hint}\n`;
}
