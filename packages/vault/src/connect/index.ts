export { planConfigChange, writeConfigChange } from './config-change.ts';
export { getClient, clientNames, createEntry } from './client.ts';
export type { Client } from './client.ts';
export { listConnectionOptions } from './connection-options.ts';
export { findEntries, planPathChange } from './find-entries.ts';
export type { ClientEntry } from './find-entries.ts';
export { detectClients, isOnPath } from './find-clients.ts';
export { findClientCommands, findIncompletePlugins } from './client-commands.ts';
export type { ClientCommand, IncompletePlugin } from './client-commands.ts';
export { probeCommand, probeVariable } from './probe-command.ts';
export { buildInstructions, buildSkill } from './instructions.ts';
export { planMemoryChange, planMemoryMove, planMemoryRemoval } from './memory-folder.ts';
export { createStdioServer } from './local-server.ts';
export { readPlatform } from './platform.ts';
export type { Platform } from './platform.ts';
export { resolveConfigLocation } from './config-location.ts';
export {
  pluginClients,
  createPortablePlugin,
  isInstalled,
  readPluginArguments,
  removePlugin,
  writePlugin,
  writePortablePlugin,
} from './plugin.ts';
export type { PluginClient, PluginFiles } from './plugin.ts';
export { runCommand } from './run-command.ts';
export { isPlaintextUrl, parseServiceUrl, parseVariableName } from './server.ts';
export type { ServerEndpoint } from './server.ts';
export { formatAddCommand, addEntry } from './with-entry.ts';
