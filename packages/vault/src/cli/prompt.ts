import { createInterface } from 'node:readline';
import type { Cli } from './command.ts';
import { formatForTerminal } from './print-outcome.ts';
import { withInterrupt } from './show-live.ts';

/** Asks for one line and returns it without surrounding spaces; null after Ctrl-C, Ctrl-D or the end of the input. */
export type Ask = (question: string) => Promise<string | null>;

/** Whether questions can be asked: input and output are a terminal, and the output is not for a program. */
export function isInteractive({ stdin, stdout }: Cli, { json }: { json?: boolean } = {}): boolean {
  return stdout.isTTY === true && json !== true && stdin().isTTY === true;
}

/** Runs `work` with a function that asks questions in the terminal; `signal` is aborted by Ctrl-C. */
export async function withPrompt<Value>(
  cli: Cli,
  work: (ask: Ask, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  return withInterrupt(cli, async (signal) => {
    // Not as a terminal: the terminal itself edits the line, and Ctrl-C arrives as a signal.
    const terminal = createInterface({ input: cli.stdin(), terminal: false });
    const lines = terminal[Symbol.asyncIterator]();
    const interrupted = new Promise<null>((stop) =>
      signal.addEventListener('abort', () => stop(null), { once: true }),
    );
    const ask: Ask = async (question) => {
      if (signal.aborted) return null;
      cli.stdout.write(`${formatForTerminal(question.trimEnd(), cli.stdout)} `);
      const line = await Promise.race([lines.next(), interrupted]);
      return line === null || line.done === true ? null : line.value.trim();
    };
    try {
      return await work(ask, signal);
    } finally {
      terminal.close();
    }
  });
}

const positiveAnswers = { en: /^y(?:es)?$/i, fr: /^(?:o|oui|y|yes)$/i };

/** Whether the answer is yes. An empty answer is the default; null is no. */
export function isYes({ environment: { language } }: Cli, answer: string | null, isDefault = false): boolean {
  return answer === '' ? isDefault : positiveAnswers[language].test(answer ?? '');
}

/** Asks a yes-no question whose default is no. False without a terminal. */
export async function confirm(cli: Cli, question: string, options: { json?: boolean }): Promise<boolean> {
  if (!isInteractive(cli, options)) return false;
  return withPrompt(cli, async (ask) => isYes(cli, await ask(question)));
}
