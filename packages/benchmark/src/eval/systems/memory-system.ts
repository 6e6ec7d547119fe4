/** What a system can be asked to do. Every system has `reset` and `file`. */
export const operations = ['reset', 'file', 'ask', 'search', 'forget', 'dump'] as const;
export type Operation = (typeof operations)[number];

/** Tokens and money that one operation cost, as the system reports it. */
export type ReportedUsage = { input: number; output: number; cost?: number | undefined };

/** One input: the words of the user, or, with the source `other`, of another person. */
export type SystemInput = {
  text: string;
  /** Attached documents; those without a text are base64. */
  files: readonly { name: string; text?: string; base64?: string }[];
  source: 'person' | 'other';
  /** The local time of the input, as `2026-03-02T10:30:00`. */
  at: string;
  /** The inbox item that this input answers. */
  answers?: string | undefined;
};

export type FiledInput = {
  /** `known`: nothing new. `held`: waits for the approval of the user. `asked`: the user was asked a question. */
  outcome: 'filed' | 'known' | 'held' | 'asked' | 'failed';
  /** What the system tells the user that it did. */
  receipt: string;
  usage?: ReportedUsage | undefined;
};

/** Source text that a system shows. A system without files leaves out the path. */
export type Evidence = { path?: string | undefined; start?: number | undefined; text: string };

export type SystemAnswer = {
  /** The sentence for the user, without the evidence. */
  text: string;
  found: 'yes' | 'partly' | 'no';
  evidence: readonly Evidence[];
  usage?: ReportedUsage | undefined;
};

/** The notes with which a memory starts, and the time at that moment. */
export type InitialNotes = {
  language: 'fr' | 'en' | 'de';
  at: string;
  /** Texts by their path. */
  files: ReadonlyMap<string, string>;
};

/** A memory that takes part in the benchmark. Every operation may throw; the scenario then counts as failed. */
export type MemorySystem = {
  name: string;
  version: string;
  /** The provider's name of the model; null without one. */
  model: string | null;
  offers: ReadonlySet<Operation>;
  /** Whether `dump` returns notes under their paths, so that the place of a fact can be scored. */
  keepsFiles: boolean;
  reset(notes: InitialNotes): Promise<void>;
  file(input: SystemInput): Promise<FiledInput>;
  ask(question: string, at: string): Promise<SystemAnswer>;
  search(queries: readonly string[]): Promise<readonly Evidence[]>;
  forget(words: string): Promise<void>;
  /** All texts by path, or by any name if the system has no files. */
  dump(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
};

/** Starts a system in an empty folder of its own. */
export type SystemFactory = (folder: string) => Promise<MemorySystem>;

export class SystemError extends Error {
  override name = 'SystemError';
}
