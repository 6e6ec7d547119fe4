import { buffer } from 'node:stream/consumers';
import { AppError } from '../app/index.ts';
import { decodeInput } from '../vault/index.ts';
import type { Io } from './io.ts';

export async function readStandardInput(cli: Io): Promise<string> {
  return textOrRefuse(cli, await buffer(cli.stdin()), 'standard input');
}

/** The text of bytes that the user hands over. A note says how it was read where that is a guess; binary data is refused. */
export function textOrRefuse({ stderr }: Io, bytes: Buffer, from: string): string {
  const decoded = decodeInput(bytes);
  if (decoded.kind === 'not-text')
    throw new AppError('bad-input', `${from} is ${decoded.what}, not text; nothing was done`, {
      mend: 'send text in UTF-8; a document is filed with: keepsake add <file>',
    });
  if (decoded.note !== null) stderr.write(`note: ${from}: ${decoded.note}\n`);
  return decoded.text;
}

/** One line that is not shown while it is typed; what is piped in is taken as it is. */
export async function readSecret(cli: Io, prompt: string): Promise<string> {
  const stdin = cli.stdin();
  if (stdin.isTTY !== true) return readStandardInput(cli);
  cli.stderr.write(prompt);
  stdin.setRawMode?.(true);
  try {
    let typed = '';
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return typed;
        if (character === '\u0003') return '';
        typed = character === '\u007f' ? typed.slice(0, -1) : typed + character;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode?.(false);
    cli.stderr.write('\n');
  }
}
