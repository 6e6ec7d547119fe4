import { clearLine, cursorTo } from 'node:readline';
import type { Output } from './io.ts';
import { escapeForTerminal } from './print-outcome.ts';

export type StatusLine = {
  /** Prints a permanent line. */
  printLine(line: string): void;
  /** On a terminal, replaces the status line at the bottom; null clears it. Otherwise prints a permanent line if `isNew`. */
  update(text: string | null, isNew: boolean): void;
};

export function createStatusLine(stream: Output): StatusLine {
  let shown: string | null = null;
  const clear = (): void => {
    if (shown === null) return;
    cursorTo(stream, 0);
    clearLine(stream, 0);
    shown = null;
  };
  const printLine = (line: string): void => {
    clear();
    stream.write(`${escapeForTerminal(line, stream)}\n`);
  };
  return {
    printLine,
    update(text, isNew) {
      if (stream.isTTY !== true) {
        if (isNew && text !== null) printLine(text);
        return;
      }
      if (text === shown) return;
      clear();
      // Truncated, because a wrapped line could not be cleared. A terminal of unknown width reports 0 columns.
      if (text !== null) stream.write(escapeForTerminal(text, stream).slice(0, (stream.columns || 80) - 1));
      shown = text;
    },
  };
}
