import { styleText } from 'node:util';
import type { Command } from 'commander';
import { openVaultRoot, diagnose } from '../app/index.ts';
import type { HealthCheck, Environment } from '../app/index.ts';
import { readCaptureStatus, checkCapture, checkTranscriptRetention } from '../sessions/index.ts';
import { pluralize } from '../vault/index.ts';
import { checkConnections } from './check-connections.ts';
import { withExamples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { Output } from './io.ts';

export function doctorCommand(cli: Cli): Command {
  const command = vaultCommand('doctor')
    .summary('diagnose problems')
    .description('Check everything Keepsake needs, and list problems with their fixes, the worst first.')
    .option('--verbose', 'also list the checks that passed')
    .action(async ({ vault, state, json, verbose }: VaultOptions & { verbose?: boolean }) => {
      const { environment, stdout } = cli;
      const checks = [
        ...(await diagnose({ vault, state, environment })),
        ...sessions(vault, environment),
        ...(await checkConnections(cli)),
      ];
      stdout.write(
        json === true ? `${JSON.stringify({ checks }, null, 2)}\n` : report(checks, stdout, verbose === true),
      );
      cli.finish(checks.some(({ status }) => status === 'failed') ? exitCode.errors : exitCode.ok);
    });
  return withExamples(command, ['doctor', 'doctor --verbose']);
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

/** The problems, the worst first, and how many checks passed; all checks if `isVerbose`. */
function report(checks: readonly HealthCheck[], stream: Output, isVerbose: boolean): string {
  const { failed = [], warning = [], ok = [] } = Object.groupBy(checks, ({ status }) => status);
  const counts = [
    ...(failed.length > 0 ? [pluralize(failed.length, 'problem')] : []),
    ...(warning.length > 0 ? [pluralize(warning.length, 'warning')] : []),
  ];
  const shown = [...failed, ...warning, ...(isVerbose ? ok : [])].map((check) => line(check, stream));
  const passed = `${pluralize(ok.length, 'check')} passed${isVerbose ? '' : ' (list them with: keepsake doctor --verbose)'}`;
  const summary = `${counts.length === 0 ? 'no problems' : counts.join(', ')}; ${passed}\n`;
  return `${shown.join('')}${shown.length > 0 ? '\n' : ''}${summary}`;
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
