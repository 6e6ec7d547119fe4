/** The exit codes of all commands. */
export const exitCode = {
  /** Success. */
  ok: 0,
  /** Failed, completely or in part: the output contains errors. */
  errors: 1,
  /** Usage error: the command or its input is invalid, so nothing was done. */
  refused: 2,
  /** The answer claims something without citing a line of the vault. */
  uncited: 3,
  /** Stopped before a mass deletion or before secrets are synced: the user has to decide. */
  unconfirmed: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
