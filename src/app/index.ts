export { backUp } from './backup.ts';
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
export { parseExclusion } from './exclusion.ts';
export { setConfigured } from './change-configuration.ts';
export { readEnvironment } from './environment.ts';
export type { Environment } from './environment.ts';
export { packageVersion } from './version.ts';
export { stateFolderFor } from './state-folder.ts';
export { AppError } from './error.ts';
export type { Update } from './updates.ts';
export { chooseAgentModel, describeKey, storeKey } from './agent-model.ts';
export { chooseTranscription, transcriberOf, transcribingProviders } from './transcription.ts';
export { openKeepsake } from './keepsake.ts';
export type { Keepsake } from './keepsake.ts';
export { claimOwnership, findOwner } from './owner.ts';
export type { Owner } from './owner.ts';
export { chooseVault } from './environment.ts';
export { filesFrom, sentFiles } from './sent-files.ts';
