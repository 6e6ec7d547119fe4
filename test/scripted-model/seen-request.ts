import type { IncomingHttpHeaders } from 'node:http';

/** The conversation in a request, in the same form for every protocol. */
export type Conversation = {
  system: string;
  toolNames: string[];
  /** One for each user message with text. */
  userTexts: string[];
  /** In order; the name is empty if no earlier call has its id. */
  toolResults: { tool: string; text: string }[];
  images: { inToolResults: number; inUserMessages: number };
};

/** A file to transcribe. */
export type SeenRecording = { name: string; mediaType: string; bytes: number };

export type SeenRequest = Conversation & {
  protocol: 'openai' | 'anthropic' | 'responses' | 'transcription';
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** The body as received. */
  rawBody: string;
  isStreaming: boolean;
  /** Null if there is nothing to transcribe. */
  recording: SeenRecording | null;
};
