import { parseEvent } from './event.ts';
import type { HookEvent } from './event.ts';
import { homesOf } from './homes.ts';
import { linkOf, remoteOf } from './link.ts';
import type { Linked } from './link.ts';
import { isAttended, partOf } from './part.ts';
import { readSettings } from './settings.ts';
import type { SessionSettings } from './settings.ts';
import { noteHealth, spool } from './spool.ts';

export type HookOptions = {
  /** When the client called, in milliseconds: parts of a session are in this order, however late each process gets to run. */
  calledAt: number;
  variables: NodeJS.ProcessEnv;
  input: NodeJS.ReadableStream;
  print: (text: string) => void;
  /** What a model is told at the start of a session; made by the program, which only then is loaded. */
  brief: (asked: BriefAsked) => Promise<string | null>;
  /** Has what is over brought into the vault, by a process that nobody waits for. */
  drain: (vault: string) => Promise<void>;
};

export type BriefAsked = { vault: string | null; folder: string; source: string; linked: Linked };

/** What is read of standard input; the rest is taken and thrown away, so that the client need not wait. */
const longest = 1_000_000;

/**
 * What a client calls: `<client> <event>`, with JSON on standard input. Never fails, and prints nothing but what a model is to be
 * told: whatever is wrong here is no reason to disturb a session.
 */
export async function runHook([client = '', name = '']: string[], options: HookOptions): Promise<void> {
  const begun = performance.now();
  const { variables } = options;
  try {
    const event = parseEvent(await readInput(options.input), client, variables);
    if (event === null || !names.has(name)) return;
    const problem = await act(name, event, options).catch(String);
    const took = Math.round(performance.now() - begun);
    noteHealth(homesOf(variables).state, {
      client: event.client,
      event: name,
      at: Date.now(),
      took,
      problem,
    });
  } catch {
    // See above.
  }
}

const names = new Set([
  'session-start',
  'prompt',
  'turn',
  'after-agent',
  'pre-compact',
  'post-compact',
  'session-end',
]);

/** Asked for where the client makes a summary anyway, so that it costs nothing. */
const worthRemembering =
  'In the summary, add a section "Worth remembering": decisions with their reasons, lasting facts and open tasks of this conversation, one line each.';

/** What went wrong, or null. */
async function act(name: string, event: HookEvent, options: HookOptions): Promise<string | null> {
  const { variables, print } = options;
  const homes = homesOf(variables);
  const settings = readSettings(homes.configuration);
  const remote = remoteOf(event.folder);
  const linked = linkOf(event.folder, remote, settings.links);
  if (linked.kind === 'none') return null;
  if (name === 'session-start') return tell(event, linked, settings, options);
  const isWanted =
    settings.vault !== null &&
    (settings.capture === 'everywhere' || (settings.capture === 'linked' && linked.kind === 'project')) &&
    variables['KEEPSAKE_CAPTURE'] !== 'off' &&
    (settings.unattended || isAttended(event, variables));
  if (!isWanted) return null;
  if (name === 'pre-compact') {
    if (event.client === 'claude-code' || event.client === 'opencode') print(`${worthRemembering}\n`);
    return null;
  }
  const project = linked.kind === 'project' ? linked.project : null;
  // Gemini CLI tells both at once.
  const told = name === 'after-agent' ? ['prompt', 'turn'] : [name];
  const parts = told.flatMap(
    (each, index) =>
      partOf(each, event, { vault: settings.vault ?? '', remote, project }, options.calledAt + index) ?? [],
  );
  const isKept = parts.every((part) => spool(homes.state, part));
  const isOver = name === 'post-compact' || (name === 'session-end' && event.said['reason'] !== 'resume');
  if (isOver) await options.drain(settings.vault ?? '');
  return isKept ? null : 'too much waits to be recorded';
}

async function tell(
  { client, folder, source }: HookEvent,
  linked: Linked,
  { vault }: SessionSettings,
  { brief, print }: HookOptions,
): Promise<null> {
  const text = await brief({ vault, folder, source: source ?? 'startup', linked });
  const said =
    client === 'cursor'
      ? { additional_context: text }
      : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } };
  if (text !== null) print(`${JSON.stringify(said)}\n`);
  return null;
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
