/** What a command tells the shell. */
export const exitCode = {
  /** Done. */
  ok: 0,
  /** Done in part, or not at all: the output carries errors. */
  errors: 1,
  /** Not tried: the command or its input is not valid. */
  refused: 2,
  /** Answered, but nothing in the vault was cited. */
  uncited: 3,
  /** Stopped before a mass deletion: the user has to confirm it or restore the files. */
  unconfirmed: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
