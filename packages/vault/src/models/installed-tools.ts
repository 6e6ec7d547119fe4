import type { ChatModel } from './chat.ts';
import { createClaudeCodeModel, fetchClaudeCodeInfo } from './claude-code.ts';
import { createCodexModel, fetchCodexInfo } from './codex.ts';
import type { ModelInfo } from './fetch-model-info.ts';
import type { InstalledProgram } from './program-process.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

/** An AI tool that the user has installed and signed in to, used as a model. */
export type InstalledTool = {
  title: string;
  /** The name of the program on the search path. */
  executable: string;
  /** A model name to suggest, or a placeholder. */
  suggestedModel: string;
  /** What the user should know before choosing it. */
  terms: string;
  createModel(options: {
    name: string;
    endpoint: RemoteEndpoint;
    timeoutSeconds: number;
    program: InstalledProgram;
  }): ChatModel;
  /** Asks the program for its version and sign-in; calls no model. */
  fetchInfo(program: InstalledProgram, signal: AbortSignal): Promise<ModelInfo>;
};

export const claudeCode: InstalledTool = {
  title: 'Claude Code',
  executable: 'claude',
  suggestedModel: 'sonnet',
  terms:
    'If your plan includes API credits, use anthropic/<name> with a key instead. This runs your own Claude Code with your own sign-in: Anthropic asks products to use API keys and forbids them to route requests through Free, Pro or Max plans on behalf of their users; whether that covers your own use on your own machine is not settled, and it may count against a separate credit.',
  createModel: createClaudeCodeModel,
  fetchInfo: fetchClaudeCodeInfo,
};

export const codex: InstalledTool = {
  title: 'Codex',
  executable: 'codex',
  suggestedModel: '<model>',
  terms:
    'This runs your own Codex with your own sign-in, through an interface that OpenAI marks as experimental; the terms and limits of your OpenAI plan apply.',
  createModel: createCodexModel,
  fetchInfo: fetchCodexInfo,
};
