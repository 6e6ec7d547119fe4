export type McpOptions = {
  /** Without the tools that change files. */
  isReadOnly: boolean;
  /** Of Keepsake, as clients are told. */
  version: string;
  /**
   * Whether a client may say that something is the person's own word: one that was started on this machine, under the
   * person's account, and none behind a token.
   */
  mayQuotePerson?: boolean;
  /** Where calls come from, for history. */
  origin: string;
  /** Told of what went wrong and is not, or not in full, told to the client. Must not throw. */
  onError?: (error: unknown) => void;
};

/** What one message may hold: an update with 20 MB of files, in base64 and with a text. In bytes. */
export const largestMessage = 30_000_000;
