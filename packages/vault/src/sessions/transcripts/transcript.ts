/** The clients whose transcripts can be imported. */
export const transcriptClients = ['claude-code', 'codex', 'gemini-cli', 'opencode'] as const;
export type TranscriptClient = (typeof transcriptClients)[number];

/** A prompt, the last answer to it, or the summary of a compaction, as the client stored it. */
export type Turn = {
  event: 'prompt' | 'turn' | 'post-compact';
  /** The id of the prompt. If the client also reports it to hooks, a recorded event has the same key. */
  id: string;
  /** In epoch milliseconds. */
  at: number;
  text: string;
  /** Whether a program wrote the prompt. */
  isUnattended: boolean;
};

export type Transcript = {
  session: string;
  folder: string | null;
  /** The URL of the git repository, as far as the client stored it. */
  remoteUrl: string | null;
  /** The git branch at its start, as far as the client stored it. */
  branch: string | null;
  title: string | null;
  /** Whether an agent started the session, not the user. */
  isSubagent: boolean;
  turns: Turn[];
};

/** The transcript of one session on this machine. Reading throws if it was deleted meanwhile. */
export type TranscriptSource = {
  client: TranscriptClient;
  /** A file name, or a database and an id. */
  name: string;
  bytes: number;
  /** When it was last written, in epoch milliseconds. */
  modifiedAt: number;
  sample(): TranscriptSample;
  read(): Promise<Transcript>;
};

/** The start and the end of a transcript. */
type TranscriptSample = {
  transcript: Transcript;
  /** Less than the size of the transcript if the middle was left out. */
  readBytes: number;
  /** Whether the end contains a turn; otherwise later turns may be in the part that was left out. */
  hasLastTurn: boolean;
};

/** Builds a transcript from the lines of a file. Ignores lines that are unknown or incomplete. */
export type TranscriptParser = { add: (line: string) => void; finish: () => Transcript };

/** Collects turns: of the answers to a prompt only the last one counts, as in live capture. */
export type TurnCollector = {
  prompt(turn: Pick<Turn, 'id' | 'at' | 'text' | 'isUnattended'>): void;
  /** Texts with the same message id form one answer. */
  answer(message: string, at: number, text: string): void;
  summary(id: string, at: number, text: string): void;
  finish(): Turn[];
};

export function createTurnCollector(): TurnCollector {
  const turns: Turn[] = [];
  let current = { id: '', isUnattended: false };
  let answer: { message: string; at: number; text: string } | null = null;
  const flush = (): void => {
    if (answer !== null) turns.push({ event: 'turn', ...current, at: answer.at, text: answer.text });
    answer = null;
  };
  return {
    prompt(turn) {
      // Several prompts can belong to one turn, which then has one answer.
      if (turn.id !== current.id) flush();
      current = { id: turn.id, isUnattended: turn.isUnattended };
      turns.push({ event: 'prompt', ...turn });
    },
    answer(message, at, text) {
      if (text.trim() === '') return;
      const joined = answer?.message === message ? `${answer.text}\n\n${text}` : text;
      answer = { message, at, text: joined };
    },
    summary(id, at, text) {
      flush();
      turns.push({ event: 'post-compact', id, at, text, isUnattended: current.isUnattended });
    },
    finish() {
      flush();
      return turns;
    },
  };
}

/** Null for anything but a JSON object. */
export function parseObject(line: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return null;
  }
}

export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Epoch milliseconds of an ISO 8601 time; null for anything else. */
export function asTime(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Joins the text parts of a message; a string is its own text. */
export function joinTexts(content: unknown, types: readonly string[]): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(asObject)
    .flatMap((part) => (part !== null && types.includes(String(part['type'])) ? [asText(part['text'])] : []))
    .filter((text) => text !== null)
    .join('\n\n');
}
