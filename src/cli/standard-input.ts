import { text } from 'node:stream/consumers';

export function readStandardInput(): Promise<string> {
  return text(process.stdin);
}

/** One line that is not shown while it is typed; what is piped in is taken as it is. */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return readStandardInput();
  process.stderr.write(prompt);
  process.stdin.setRawMode(true);
  try {
    let typed = '';
    for await (const chunk of process.stdin) {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return typed;
        if (character === '\u0003') return '';
        typed = character === '\u007f' ? typed.slice(0, -1) : typed + character;
      }
    }
    return typed;
  } finally {
    process.stdin.setRawMode(false);
    process.stderr.write('\n');
  }
}
