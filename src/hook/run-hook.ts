import { parseEvent } from './event.ts';
import type { HookEvent } from './event.ts';
import { homesOf } from './homes.ts';
import { linkOf, remoteOf } from './link.ts';
import type { Linked } from './link.ts';
import { readSettings } from './settings.ts';

export type HookOptions = {
  variables: NodeJS.ProcessEnv;
  input: NodeJS.ReadableStream;
  print: (text: string) => void;
  /** What a model is told at the start of a session; made by the program, which only then is loaded. */
  brief: (asked: BriefAsked) => Promise<string | null>;
};

export type BriefAsked = { vault: string | null; folder: string; source: string; linked: Linked };

/** What is read of standard input; the rest is taken and thrown away, so that the client need not wait. */
const longest = 1_000_000;

/**
 * What a client calls: `<client> <event>`, with JSON on standard input. Never fails, and prints nothing but what a model is to be
 * told: whatever is wrong here is no reason to disturb a session.
 */
export async function runHook([client = '', event = '']: string[], options: HookOptions): Promise<void> {
  try {
    const said = parseEvent(await readInput(options.input), client, options.variables);
    if (said !== null && event === 'session-start') await tell(said, options);
  } catch {
    // See above.
  }
}

async function tell({ folder, source }: HookEvent, { variables, brief, print }: HookOptions): Promise<void> {
  const { vault, links } = readSettings(homesOf(variables).configuration);
  const linked = linkOf(folder, remoteOf(folder), links);
  if (linked.kind === 'none') return;
  const text = await brief({ vault, folder, source: source ?? 'startup', linked });
  if (text === null) return;
  print(
    `${JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } })}\n`,
  );
}

async function readInput(input: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length <= longest) chunks.push(bytes);
  }
  return length > longest ? '' : Buffer.concat(chunks).toString();
}
