export { agentModelName, chooseAgentModel, describeKey, keySource, storeKey } from './agent-model.ts';
export { backUp } from './backup.ts';
export { setConfigured } from './change-configuration.ts';
export type { Check } from './check.ts';
export { chooseModel, tryChosenModel } from './choose-model.ts';
export { openDurable } from './databases.ts';
export { diagnose } from './doctor.ts';
export { chooseVault, configuredVault, machineName, readConfiguration } from './configuration.ts';
export { nearestVault, readEnvironment } from './environment.ts';
export type { Environment } from './environment.ts';
export { AppError } from './error.ts';
export { lookAtPatterns, parsePatterns, problemWith } from './exclusion.ts';
export type { CountedPattern } from './exclusion.ts';
export { findServing, lookForServing } from './find-serving.ts';
export { flushTree } from './flush.ts';
export { keepCompiled } from './keep-compiled.ts';
export { keepSynced } from './keep-synced.ts';
export { openKeepsake } from './keepsake.ts';
export type { Keepsake } from './keepsake.ts';
export {
  addModel,
  installModelRuntime,
  isRuntimeInstalled,
  listModels,
  modelFile,
  modelRole,
  useModel,
} from './models.ts';
export { claimOwnership, findOwner } from './owner.ts';
export type { Owner, Ownership } from './owner.ts';
export { restoreBackup } from './restore-backup.ts';
export { filesFrom } from './sent-files.ts';
export type { Served } from './served-vault.ts';
export { stateFolderFor } from './state-folder-for.ts';
export { chooseTranscription, transcriberOf, transcribingProviders } from './transcription.ts';
export type { Update } from './updates.ts';
export { packageVersion } from './version.ts';
