export { backUp } from './backup.ts';
export type { Changes } from './changes.ts';
export { callAndCommit, explainWritten } from './commit.ts';
export { documentWarnings } from './documents.ts';
export { diagnose } from './doctor.ts';
export type { Check } from './check.ts';
export {
  addModel,
  installModelRuntime,
  isRuntimeInstalled,
  listModels,
  modelFile,
  useModel,
} from './models.ts';
export { importKinds } from './import/recognise.ts';
export type { ImportKind } from './import/recognise.ts';
export type { ImportReport } from './import/report.ts';
export { importInto } from './import/run.ts';
export { parseExclusion } from './exclusion.ts';
export { setConfigured } from './change-configuration.ts';
export { readEnvironment } from './environment.ts';
export type { Environment } from './environment.ts';
export { packageVersion } from './version.ts';
export { stateFolderFor } from './state-folder.ts';
export { AppError } from './error.ts';
export type { Update } from './updates.ts';
export type { Waiting } from './inbox.ts';
export type { CheckedBlock } from './verify.ts';
export { chooseAgentModel, describeKey, storeKey } from './agent-model.ts';
export { chooseTranscription, transcriberOf, transcribingProviders } from './transcription.ts';
export { parseModelName, providerNames } from '../agents/index.ts';
export type { ProviderName } from '../agents/index.ts';
export { openKeepsake } from './keepsake.ts';
export type { Keepsake } from './keepsake.ts';
export type { QueueRunner } from '../queue/index.ts';
export { claimOwnership, findOwner } from './owner.ts';
export { hashOf, isSameHash, newSecret } from './secrets.ts';
export type { Owner } from './owner.ts';
export type { FileRead } from './read-file.ts';
export type { ToolCall, ToolCaller } from './tool-caller.ts';
export type { Tokens, TokenScope } from './tokens.ts';
export type { UpkeepEvent } from '../upkeep/index.ts';
export { ModelError } from '../search/index.ts';
export { showFound, toolNamed, tools } from '../tools/index.ts';
export type { Tool, ToolOutcome } from '../tools/index.ts';
export {
  initVault,
  localTime,
  parseVaultPath,
  showBytes,
  showPath,
  showTime,
  unifiedDiff,
  VaultError,
} from '../vault/index.ts';
export type { JournalEntry, Language, Undone, VaultPath } from '../vault/index.ts';
export * from './clients/index.ts';
