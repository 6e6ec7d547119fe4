export type McpOptions = {
  /** Whether tools that change files are left out. */
  isReadOnly: boolean;
  /** The version of Keepsake, reported to clients. */
  version: string;
  /**
   * Whether a client may attribute input to the user. True only for clients started on this machine under the user's
   * account, never for clients that authenticate with a token.
   */
  trustsUserClaims?: boolean;
  /** The origin of calls, recorded in history. */
  origin: string;
  /** Receives errors that the client does not get in full. Must not throw. */
  onError?: (error: unknown) => void;
};

/** Large enough for an update with a text and 20 MB of base64-encoded files. */
export const maxMessageBytes = 30_000_000;
