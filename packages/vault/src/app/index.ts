export {
  configuredModelName,
  resolveAgentModel,
  describeKeySource,
  getKeySource,
  isAddressOfKey,
  storeApiKey,
} from './agent-model.ts';
export { findAvailableModels } from './available-models.ts';
export type { AvailableModel } from './available-models.ts';
export { backUp } from './backup.ts';
export type { ClientRuns, NextRun, RunClient } from './client-runs.ts';
export { writeConfiguration } from './write-configuration.ts';
export type { HealthCheck } from './check.ts';
export { chatGptStatus } from './chatgpt-account.ts';
export { signInToChatGpt, signOutOfChatGpt } from './chatgpt-sign-in.ts';
export { setAgentModel, storeContextLimit, testConfiguredModel, withCandidateModel } from './choose-model.ts';
export type { ModelSettings } from './choose-model.ts';
export { openDurable } from './databases.ts';
export { diagnose } from './doctor.ts';
export {
  maxModelTimeout,
  resolveVault,
  readConfiguredVault,
  readMachineName,
  readConfiguration,
} from './configuration.ts';
export { outputLanguage } from './output-language.ts';
export { tryReadConfiguredVault } from './configuration-text.ts';
export { findNearestVault, readEnvironment } from './environment.ts';
export type { Environment } from './environment.ts';
export { AppError } from './error.ts';
export { inspectPatterns, parsePatterns, validatePatterns } from './exclusion.ts';
export type { PatternMatchCount } from './exclusion.ts';
export { findVaultKnownAt, isSamePlace, listKnownVaults, locateVault, readIdAt } from './known-vaults.ts';
export { claimState } from './claim-state.ts';
export type { KnownVault } from './known-vaults.ts';
export { createJoinFolder } from './ensure-vault.ts';
export { assertNotGone, describeKnown, openVaultRoot } from './open-vault-root.ts';
export { findVaultFolder } from './find-vault-folder.ts';
export { findOwnerForVault, createOwnerLookup } from './find-owner-for-vault.ts';
export { fsyncTreeAndParents } from './fsync.ts';
export { replaceFile } from './replace-file.ts';
export { enableCompileCache } from './compile-cache.ts';
export { startBackgroundSync } from './background-sync.ts';
export { startBackgroundTidying } from './background-tidying.ts';
export type { TidyingReport } from './tidying.ts';
export { defaultTidying, timeOfDay } from './tidying-settings.ts';
export { findDatabaseLoss } from './lost-database.ts';
export type { ForgetRequest } from './forget-requests.ts';
export { openKeepsake } from './keepsake.ts';
export type { Keepsake } from './keepsake.ts';
export {
  downloadSearchModel,
  installModelRuntime,
  isRuntimeInstalled,
  listModels,
  planModelSetup,
  resolveModelFile,
  resolveModelRole,
  setSearchModel,
} from './models.ts';
export type { SetupPlan } from './models.ts';
export { withPastVault } from './past-vault.ts';
export type { PastVault } from './past-vault.ts';
export { acquireOwnerLease, findOwnerProcess } from './owner.ts';
export type { OwnerProcess, OwnerLease } from './owner.ts';
export { describeRetention, retentionPeriod } from './retention-settings.ts';
export { restoreBackup } from './restore-backup.ts';
export { decodeFiles } from './file-encoding.ts';
export type { VaultService } from './served-vault.ts';
export { isSameFolder } from './state-folder.ts';
export { resolveStateFolder } from './resolve-state-folder.ts';
export {
  resolveTranscriptionModel,
  createConfiguredTranscriber,
  transcribingProviders,
} from './transcription.ts';
export { maxCommandWaitMs, waitsForModel } from './updates.ts';
export type { Update } from './updates.ts';
export { readPackageVersion } from './version.ts';
