import { buffer } from 'node:stream/consumers';
import { AppError } from '../app/index.ts';
import { decodeInput } from '../vault/index.ts';
import type { Io } from './io.ts';

export async function readStandardInput(cli: Io): Promise<string> {
  if (cli.stdin().isTTY === true) cli.stderr.write('type the text, then press Ctrl-D in an empty line\n');
  return decodeText(cli, await buffer(cli.stdin()), 'standard input');
}

/** Like `readStandardInput`, but refuses no text at all: often the file or command that should give it failed. */
export async function readText(cli: Io, hint: string): Promise<string> {
  const text = await readStandardInput(cli);
  if (text === '') throw new AppError('bad-input', 'standard input is empty; nothing was written', { hint });
  return text;
}

/** Decodes text from the user. Prints a note when the encoding was guessed; throws for binary data. */
export function decodeText({ stderr }: Io, bytes: Buffer, from: string): string {
  const decoded = decodeInput(bytes);
  if (decoded.kind === 'not-text')
    throw new AppError('bad-input', `${from} is ${decoded.description}, not text; nothing was done`, {
      hint: 'pass UTF-8 text; to file a document, run: keepsake add <file>',
    });
  if (decoded.note !== null) stderr.write(`note: ${from}: ${decoded.note}\n`);
  return decoded.text;
}

/** Reads one line without echoing it; piped input is read completely. */
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
