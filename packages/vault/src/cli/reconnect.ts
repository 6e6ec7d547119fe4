import { existsSync, realpathSync } from 'node:fs';
import type { Command } from 'commander';
import {
  AppError,
  claimState,
  describeKnown,
  findVaultKnownAt,
  isSamePlace,
  listKnownVaults,
  locateVault,
  openVaultRoot,
  readIdAt,
  resolveVault,
} from '../app/index.ts';
import type { Environment, KnownVault } from '../app/index.ts';
import { vaultCommand, withExamples } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult, reportError } from './print-outcome.ts';
import { findReferences, listManualRepairs } from './vault-references.ts';

export function reconnectCommand(cli: Cli): Command {
  const command = vaultCommand('reconnect')
    .summary('repair commands, AI tools and hooks after a vault was moved')
    .description(
      'Point everything on this machine that names an earlier folder of a vault at its present one: the default vault, AI tools with their hooks, and links. The vault is recognized by its id and is not changed.',
    )
    .argument('[folder]', 'where the vault is now (default: where it is found)')
    .action((folder: string | undefined, options: VaultOptions) => {
      const { environment } = cli;
      const place = folder === undefined ? findSelected(environment, options) : environment.resolve(folder);
      const known = identify(environment, place);
      const root = realpathSync(place);
      claimState(openVaultRoot({ vault: root, environment }), undefined, environment);
      const repaired: string[] = [];
      const failed: string[] = [];
      for (const { label, repair } of findReferences(cli, known, root))
        try {
          repair();
          repaired.push(label);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          failed.push(label);
          reportError(cli, error);
        }
      const manual = listManualRepairs(cli, known, root);
      const text = [
        repaired.length === 0 && failed.length === 0
          ? `everything names ${root} already`
          : `${root} is connected again; repaired:`,
        ...repaired.map((label) => `  ${label}`),
        ...manual,
      ];
      printResult(cli, text.join('\n'), { vault: root, repaired, failed, manual }, options);
      cli.finish(failed.length === 0 ? exitCode.ok : exitCode.errors);
    });
  return withExamples(command, ['reconnect ~/Documents/notes', 'reconnect']);
}

/** The selected vault, wherever it is now. Throws if it is not found. */
function findSelected(environment: Environment, { vault, state }: VaultOptions): string {
  const selected = resolveVault(vault, environment);
  const known = readIdAt(selected) === null ? findVaultKnownAt(selected, environment.stateHome) : null;
  return (known && locateVault(known)) ?? openVaultRoot({ vault, state, environment });
}

/** The vault in a folder, which this machine knows by its id. Throws if it is another one, or a copy. */
function identify({ stateHome }: Environment, place: string): KnownVault {
  if (!existsSync(place)) throw new AppError('bad-input', `no such folder: ${place}`);
  const id = readIdAt(place);
  if (id === null)
    throw new AppError('bad-input', `${place} is not a vault; nothing was changed`, {
      hint: 'pass the folder that contains .keepsake/vault.json',
    });
  const vaults = listKnownVaults(stateHome);
  const same = vaults.filter((each) => each.id === id);
  const alive = ({ paths }: KnownVault): string | undefined => paths.find((path) => readIdAt(path) === id);
  const known =
    same.find(({ paths }) => paths.some((path) => isSamePlace(path, place))) ??
    same.find((each) => alive(each) === undefined);
  if (known !== undefined) return known;
  const [original] = same;
  if (original !== undefined)
    throw new AppError('bad-input', `${place} is a copy of the vault in ${alive(original)}`, {
      hint: `nothing was changed; to use the copy: keepsake config vault ${place}`,
    });
  const gone = vaults
    .filter((each) => alive(each) === undefined && readIdAt(each.paths[0] ?? '') !== each.id)
    .map((each) => `${each.paths[0]} (${describeKnown(each)})`);
  throw new AppError(
    'bad-input',
    `${place} is another vault${gone.length === 0 ? '' : ` than the one that was in ${gone.join(' or ')}`}; nothing was changed`,
    {
      hint: `to use it instead: keepsake config vault ${place}, and keepsake connect <client> --write for each AI tool`,
    },
  );
}
