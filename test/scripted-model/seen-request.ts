import type { IncomingHttpHeaders } from 'node:http';

/** What a request says, in the same words for every protocol. */
export type Conversation = {
  system: string;
  toolNames: string[];
  /** One for each message of the user that has text. */
  userTexts: string[];
  /** In order; the name is empty if no call before it has its id. */
  toolResults: { tool: string; text: string }[];
  images: { inToolResults: number; inUserMessages: number };
};

/** A file that is to be transcribed. */
export type SeenRecording = { name: string; mediaType: string; bytes: number };

export type SeenRequest = Conversation & {
  protocol: 'openai' | 'anthropic' | 'transcription';
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** The body as it came. */
  rawBody: string;
  isStreaming: boolean;
  /** Null where none is to be transcribed. */
  recording: SeenRecording | null;
};
