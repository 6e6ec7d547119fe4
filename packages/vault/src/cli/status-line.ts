import { clearLine, cursorTo } from 'node:readline';
import type { Output } from './io.ts';
import { safeForTerminal } from './show-outcome.ts';

export type StatusLine = {
  /** A line that stays. */
  say(line: string): void;
  /** On a terminal, the line below all others, which changes in place; null for none. Elsewhere what is new is a line that stays. */
  show(text: string | null, isNew: boolean): void;
};

export function createStatusLine(stream: Output): StatusLine {
  let shown: string | null = null;
  const clear = (): void => {
    if (shown === null) return;
    cursorTo(stream, 0);
    clearLine(stream, 0);
    shown = null;
  };
  const say = (line: string): void => {
    clear();
    stream.write(`${safeForTerminal(line, stream)}\n`);
  };
  return {
    say,
    show(text, isNew) {
      if (stream.isTTY !== true) {
        if (isNew && text !== null) say(text);
        return;
      }
      if (text === shown) return;
      clear();
      // One that wraps could not be cleared. A terminal that does not know its width says 0.
      if (text !== null) stream.write(safeForTerminal(text, stream).slice(0, (stream.columns || 80) - 1));
      shown = text;
    },
  };
}
