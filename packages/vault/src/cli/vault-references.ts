import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AppError, isSamePlace, readConfiguredVault, writeConfiguration } from '../app/index.ts';
import type { KnownVault } from '../app/index.ts';
import {
  findEntries,
  getClient,
  planMemoryMove,
  planPathChange,
  runCommand,
  writeConfigChange,
} from '../connect/index.ts';
import type { ClientEntry } from '../connect/index.ts';
import { readSettings } from '../hook/index.ts';
import { updateSettings } from '../sessions/index.ts';
import type { Cli } from './command.ts';
import { isPluginCurrent, reinstallPlugin } from './connect-plan.ts';

/** Something on this machine that names a vault by its path. `repair` throws an `AppError` if it cannot be changed. */
export type VaultReference = { label: string; repair: () => void };

/** Replaces an earlier path of the vault, or one below it, by the present one; null for any other path. */
type MovePath = (path: string) => string | null;

function createMovePath({ paths }: KnownVault, root: string): MovePath {
  const earlier = paths.filter((path) => !isSamePlace(path, root));
  return (path) => {
    const from = earlier.find((each) => path === each || path.startsWith(`${each}${sep}`));
    if (from !== undefined) return join(root, relative(from, path));
    return earlier.some((each) => isSamePlace(each, path)) ? root : null;
  };
}

/** Everything that names an earlier path of the vault, and installed plugins that are not current. */
export function findReferences(cli: Cli, known: KnownVault, root: string): VaultReference[] {
  const { environment } = cli;
  const move = createMovePath(known, root);
  const configured = readConfiguredVault(environment);
  const { vault, clients, links, memoryFiles } = readSettings(environment.configurationHome);
  const isOwn = vault !== null && (move(vault) !== null || isSamePlace(vault, root));
  // Decided for all clients first, because some share a folder.
  const outdated = isOwn
    ? clients.filter((name) => move(vault) !== null || !isPluginCurrent(cli, name, root))
    : [];
  const movedFiles = memoryFiles.map((file) => move(file) ?? file).filter((file) => existsSync(file));
  return [
    ...(configured !== undefined && move(configured) !== null
      ? [
          {
            label: `default vault (${environment.configFile})`,
            repair: () => writeConfiguration(environment, { place: ['vault'], value: root }),
          },
        ]
      : []),
    ...([vault, ...Object.keys(links)].some((path) => path !== null && move(path) !== null)
      ? [
          {
            label: 'recording of sessions, and links of folders to projects',
            repair: () =>
              void updateSettings(environment, (settings) => ({
                ...settings,
                vault: settings.vault === null ? null : (move(settings.vault) ?? settings.vault),
                links: Object.fromEntries(
                  Object.entries(settings.links).map(([key, project]) => [move(key) ?? key, project]),
                ),
                memoryFiles: settings.memoryFiles.map((file) => move(file) ?? file),
              })),
          },
        ]
      : []),
    ...outdated.map((name) => ({
      label: `${getClient(name).title}: plugin and hooks`,
      repair: () => reinstallPlugin(cli, name, root),
    })),
    ...movedFiles
      .map((file) => ({ file, change: planMemoryMove(file, move) }))
      .filter(({ change }) => change.outcome === 'changed')
      .map(({ file, change }) => ({
        label: `Claude Code: its own memory (${file})`,
        repair: () => void writeConfigChange(change, Date.now),
      })),
    ...listEntries(cli, links)
      .filter(({ command }) => command?.some((word) => move(word) !== null))
      .map((entry) => ({
        label: `${entry.client.title}: ${entry.name} in ${entry.place.file}`,
        repair: () => moveEntry(cli, entry, move),
      })),
  ];
}

/** The entries in the files of the user, of the current folder and of linked folders. */
function listEntries({ environment, cwd }: Cli, links: Record<string, string | null>): ClientEntry[] {
  const folders = [cwd(), ...Object.keys(links).filter((key) => isAbsolute(key))];
  return findEntries(environment, [...new Set(folders)]);
}

function moveEntry(cli: Cli, entry: ClientEntry, move: MovePath): void {
  const { claudeScope, name, definition } = entry;
  if (claudeScope === null) {
    const change = planPathChange(entry, move);
    if (change.outcome === 'changed') writeConfigChange(change, Date.now);
    return;
  }
  const { scope, folder } = claudeScope;
  const moved = JSON.stringify(definition, (_, value: unknown) =>
    typeof value === 'string' ? (move(value) ?? value) : value,
  );
  const client = { ...cli, cwd: () => folder };
  for (const command of [
    ['claude', 'mcp', 'remove', name, '--scope', scope],
    ['claude', 'mcp', 'add-json', '--scope', scope, name, moved],
  ]) {
    const problem = runCommand(client, command);
    if (problem !== null)
      throw new AppError('bad-target', `${command.slice(0, 4).join(' ')}: ${problem}`, {
        hint: `in ${folder}, run: claude mcp add-json --scope ${scope} ${name} '${moved}'`,
      });
  }
}

/** What still names an earlier path and has to be changed by the user, one line each. */
export function listManualRepairs({ environment }: Cli, known: KnownVault, root: string): string[] {
  const move = createMovePath(known, root);
  const variable = environment.vault === undefined ? null : move(environment.resolve(environment.vault));
  const { home } = environment;
  const services = [
    join(home, '.config/systemd/user/keepsake.service'),
    join(home, 'Library/LaunchAgents/local.keepsake.plist'),
  ].filter((file) => existsSync(file) && namesEarlier(readFileSync(file, 'utf8'), known, home, root));
  return [
    ...(variable === null
      ? []
      : [`change it yourself: KEEPSAKE_VAULT is ${environment.vault}, set it to ${root}`]),
    ...services.map(
      (file) => `change it yourself, and restart the service: ${file} names the earlier folder`,
    ),
  ];
}

/** systemd writes the home folder as `%h`. */
function namesEarlier(text: string, { paths }: KnownVault, home: string, root: string): boolean {
  const expanded = text.replaceAll('%h', home);
  return paths.some((path) => !isSamePlace(path, root) && expanded.includes(path));
}
