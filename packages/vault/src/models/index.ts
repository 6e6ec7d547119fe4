export { withAbort } from './abortable.ts';
export type {
  ChatCall,
  ChatContent,
  ChatMessage,
  ChatModel,
  ChatRequest,
  ChatStep,
  ChatToolResult,
} from './chat.ts';
export {
  refreshChatGptTokens,
  revokeChatGptToken,
  signInEndedError,
  startChatGptSignIn,
} from './chatgpt-oauth.ts';
export type { ChatGptEndpoints, ChatGptGrant, ChatGptTokens } from './chatgpt-oauth.ts';
export type { AccessTokenSource } from './chatgpt-plan.ts';
export { downloadModel } from './download.ts';
export { ModelError } from './error.ts';
export { createLedger, ledgerMigrations, zeroUsage } from './usage-ledger.ts';
export {
  calculateCost,
  uncachedTokens,
  findReachedLimit,
  defaultContextTokens,
  defaultRunLimits,
} from './run-limits.ts';
export type { Ledger, RunLimits, Prices, UsageTotals, DailyUsage, Usage, RunUsage } from './run-limits.ts';
export { createHeldModel } from './held-model.ts';
export type { HeldModel } from './held-model.ts';
export type { InstalledTool } from './installed-tools.ts';
export { findProgram } from './program-process.ts';
export { findLocalServers } from './local-servers.ts';
export type { LocalServer } from './local-servers.ts';
export { createLocalEmbedder } from './local-embedder.ts';
export { createLocalExpander } from './local-expander.ts';
export { createLocalReranker } from './local-reranker.ts';
export { createLocalRuntime } from './local-runtime.ts';
export type { LocalRuntime } from './local-runtime.ts';
export { findKnownModel, modelCatalog, modelRoles, recommendedEmbedder } from './model-catalog.ts';
export type { KnownModel, ModelRole } from './model-catalog.ts';
export { openLoopbackCallback } from './loopback-callback.ts';
export { parseModelName, providerNames } from './model-config.ts';
export type { ModelConfig, ProviderName } from './model-config.ts';
export type { Embedder, Expander, Expansion, Reranker } from './search-models.ts';
export {
  createChatModel,
  findInstalledTool,
  providers,
  remoteProviderNames,
  toolProviderNames,
} from './providers.ts';
export type { RemoteChatModel } from './providers.ts';
export { createRemoteEmbedder } from './remote-embedder.ts';
export { createRemoteExpander } from './remote-expander.ts';
export { createRemoteReranker } from './remote-reranker.ts';
export { hasGpuRuntime, hasRuntime, installRuntime } from './install-runtime.ts';
export { simplifyJsonSchema } from './simplify-json-schema.ts';
export { supportsTranscription, createTranscriber } from './transcribe.ts';
export { testModel } from './try-model.ts';
export type { ModelTestResult } from './try-model.ts';
export type { Transcriber } from './transcribe.ts';
