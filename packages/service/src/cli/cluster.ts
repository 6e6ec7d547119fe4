import { Command } from 'commander';
import { withExamples } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import {
  accessCommand,
  addTokenCommand,
  inviteCommand,
  removeTokenCommand,
  rotateRootKeyCommand,
} from './cluster-access.ts';
import { limitCommand } from './cluster-limit.ts';
import { drainCommand, moveCommand, statusCommand } from './cluster-nodes.ts';
import { exportCommand, restoreCommand } from './cluster-restore.ts';
import { addVaultCommand, importCommand, removeVaultCommand } from './cluster-vaults.ts';

/** In the order of the help output. */
const subcommands = [
  statusCommand,
  drainCommand,
  moveCommand,
  addVaultCommand,
  addTokenCommand,
  removeTokenCommand,
  limitCommand,
  inviteCommand,
  accessCommand,
  exportCommand,
  importCommand,
  restoreCommand,
  removeVaultCommand,
  rotateRootKeyCommand,
];

/** Administers a multi-vault service. */
export function clusterCommand(cli: Cli): Command {
  const cluster = new Command('cluster').summary('administer a multi-vault service');
  for (const make of subcommands) cluster.addCommand(make(cli));
  return withExamples(cluster, [
    'cluster status',
    'cluster add-vault',
    'cluster add-token notes phone --scope write',
    'cluster limit notes --files 10000 --requests usual',
    'cluster invite notes Ada',
  ]);
}
