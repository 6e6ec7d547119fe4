import type { Command } from 'commander';
import { openVaultRoot, diagnose } from '../app/index.ts';
import type { HealthCheck, Environment } from '../app/index.ts';
import { readCaptureStatus, checkCapture, checkTranscriptRetention } from '../sessions/index.ts';
import { pluralize } from '../vault/index.ts';
import { checkConnections } from './check-connections.ts';
import { withExamples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printLines } from './print-lines.ts';
import type { Line, Part } from './wrap-line.ts';

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
      if (json === true) stdout.write(`${JSON.stringify({ checks }, null, 2)}\n`);
      else printLines(stdout, report(checks, verbose === true));
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
function report(checks: readonly HealthCheck[], isVerbose: boolean): Line[] {
  const { failed = [], warning = [], ok = [] } = Object.groupBy(checks, ({ status }) => status);
  const counts = [
    ...(failed.length > 0 ? [pluralize(failed.length, 'problem')] : []),
    ...(warning.length > 0 ? [pluralize(warning.length, 'warning')] : []),
  ];
  const shown = [...failed, ...warning, ...(isVerbose ? ok : [])].flatMap(formatCheck);
  const passed = `${pluralize(ok.length, 'check')} passed${isVerbose ? '' : ' (list them with: keepsake doctor --verbose)'}`;
  const summary = {
    parts: [{ text: `${counts.length === 0 ? 'no problems' : counts.join(', ')}; ${passed}` }],
  };
  return [...shown, ...(shown.length > 0 ? [{ parts: [] }] : []), summary];
}

const marks = {
  ok: { text: 'ok     ', style: 'good' },
  warning: { text: 'warning', style: 'warning' },
  failed: { text: 'failed ', style: 'bad' },
} as const satisfies Record<HealthCheck['status'], Part>;

function formatCheck({ name, status, message, hint }: HealthCheck): Line[] {
  const column = marks.ok.text.length + 2;
  const [first = '', ...rest] = message.split('\n');
  const others = [...rest, ...(hint === '' ? [] : [`→ ${hint}`])];
  return [
    { parts: [marks[status], { text: `  ${name}: ${first}` }], hanging: column },
    ...others.map((text): Line => ({ parts: [{ text }], indent: column })),
  ];
}
