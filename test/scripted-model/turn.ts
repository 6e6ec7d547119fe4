/** Either an input that is serialized to JSON, or the raw arguments, which may be malformed. */
export type Call = { tool: string; input: unknown } | { tool: string; rawInput: string };

/** The text and tool calls of the model in one step. */
export type Reply = {
  text?: string;
  calls?: Call[];
  /** `input` is the total, `cached` the part that came from the cache. */
  usage?: { input: number; output: number; cached?: number };
};

export type Turn =
  | Reply
  | { fault: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** Never responds. */
  | { fault: 'hang' }
  /** Starts a response and closes the connection after this many bytes of the body. */
  | { fault: 'cut'; after: number; turn?: Reply }
  /** The same, but keeps the connection open without sending more. */
  | { fault: 'stall'; after: number; turn?: Reply }
  /** Responds with success and a body that violates the protocol. */
  | { fault: 'garbage' };

export function argumentsOf(call: Call): string {
  return 'rawInput' in call ? call.rawInput : JSON.stringify(call.input);
}
