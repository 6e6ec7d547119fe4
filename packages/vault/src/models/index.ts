export { abortable } from './abortable.ts';
export type {
  ChatCall,
  ChatContent,
  ChatMessage,
  ChatModel,
  ChatRequest,
  ChatStep,
  ChatToolResult,
} from './chat.ts';
export { downloadModel } from './download.ts';
export { ModelError } from './error.ts';
export { createLedger, ledgerMigrations, nothingSpent } from './ledger.ts';
export { costOf, freshTokens, reachedLimit, usualContext, usualLimits } from './limits.ts';
export type { Ledger, Limits, Prices, Spent, SpentToday, Usage, Used } from './limits.ts';
export { createLocalEmbedder } from './local-embedder.ts';
export { createLocalExpander } from './local-expander.ts';
export { createLocalReranker } from './local-reranker.ts';
export { createLocalRuntime } from './local-runtime.ts';
export type { LocalRuntime } from './local-runtime.ts';
export { knownModel, knownModels, modelRoles } from './model-catalogue.ts';
export type { KnownModel, ModelRole } from './model-catalogue.ts';
export { parseModelName, providerNames } from './model.ts';
export type { ModelChoice, ProviderName } from './model.ts';
export type { Embedder, Expander, Expansion, Reranker } from './ports.ts';
export { createChatModel, providers } from './providers.ts';
export type { RemoteChatModel } from './providers.ts';
export { createRemoteEmbedder } from './remote-embedder.ts';
export { createRemoteExpander } from './remote-expander.ts';
export { createRemoteReranker } from './remote-reranker.ts';
export { hasGpuRuntime, hasRuntime, installRuntime } from './runtime.ts';
export { canTranscribe, createTranscriber } from './transcribe.ts';
export { tryModel } from './try-model.ts';
export type { Trial } from './try-model.ts';
export type { Transcriber } from './transcribe.ts';
