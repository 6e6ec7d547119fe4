/** Either an input that becomes JSON, or the arguments exactly as given, which may be malformed. */
export type Call = { tool: string; input: unknown } | { tool: string; rawInput: string };

/** What the model says and which tools it calls, in one step. */
export type Reply = {
  text?: string;
  calls?: Call[];
  /** `input` is all of it, `cached` the part of it that came from the cache. */
  usage?: { input: number; output: number; cached?: number };
};

export type Turn =
  | Reply
  | { fault: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** Never answers. */
  | { fault: 'hang' }
  /** Begins an answer, and destroys the connection after so many bytes of the body. */
  | { fault: 'cut'; after: number; turn?: Reply }
  /** The same, but stays silent instead of breaking off. */
  | { fault: 'stall'; after: number; turn?: Reply }
  /** Success, with a body that is not the protocol. */
  | { fault: 'garbage' };

export function argumentsOf(call: Call): string {
  return 'rawInput' in call ? call.rawInput : JSON.stringify(call.input);
}
