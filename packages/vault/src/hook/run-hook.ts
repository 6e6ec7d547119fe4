import { clientOf, parseEvent } from './event.ts';
import type { HookEvent } from './event.ts';
import { homesOf } from './homes.ts';
import type { Homes } from './homes.ts';
import { linkOf, remoteOf } from './link.ts';
import type { Linked } from './link.ts';
import { isAttended, partOf } from './part.ts';
import type { Part } from './part.ts';
import { noSettings, parseSettings } from './settings.ts';
import type { SessionSettings } from './settings.ts';
import { claimPart, noteHealth } from './spool.ts';
import type { PartClaim } from './spool.ts';

export type HookOptions = {
  /** When the client called, in milliseconds: parts of a session are in this order, however late each process gets to run. */
  calledAt: number;
  variables: NodeJS.ProcessEnv;
  input: () => AsyncIterable<Uint8Array | string>;
  /** Called when the input is read: until then a signal may end the process, after that only when the part is recorded. */
  deferSignals?: () => void;
  print: (text: string) => void;
  /** What a model is told at the start of a session; made by the program, which only then is loaded. */
  brief: (asked: BriefAsked) => Promise<string | null>;
  /** Has what is over brought into the vault, by a process that nobody waits for. */
  drain: (vault: string) => Promise<void>;
};

export type BriefAsked = { vault: string | null; folder: string; source: string; linked: Linked };

/** What is read of standard input; the rest is taken and thrown away, so that the client need not wait. */
const longest = 1_000_000;

/** From the start of the process. A client waits for the brief and ends the hook after five seconds. */
const briefTimeoutMs = 3_000;

/**
 * What a client calls: `<client> <event>`, with JSON on standard input. Never fails, and prints nothing but what a model is to be
 * told: whatever is wrong here is no reason to disturb a session. A part that is not recorded leaves its claim and so is counted.
 */
export async function runHook([client = '', name = '']: string[], options: HookOptions): Promise<void> {
  const { variables, calledAt } = options;
  try {
    const homes = homesOf(variables);
    const settings = parseSettings(homes.configuration);
    const claims = isCaptureOn(settings, variables) ? claimParts(name, homes, calledAt) : [];
    const event = parseEvent(await readInput(options.input()), client, variables);
    options.deferSignals?.();
    if (!names.has(name) || (event === null && claims.length === 0)) return;
    const problem = await act({ name, event, settings, claims }, options).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    noteHealth(homes.state, {
      client: event?.client ?? clientOf(client, {}, variables),
      event: name,
      at: Date.now(),
      took: Date.now() - calledAt,
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

/** What each hook records. Gemini CLI reports a prompt together with its answer. */
const recorded: Record<string, Part['event'][]> = {
  prompt: ['prompt'],
  turn: ['turn'],
  'after-agent': ['prompt', 'turn'],
  'post-compact': ['post-compact'],
  'session-end': ['session-end'],
};

/** Before anything is read: a client may end the process at any moment from here on. */
function claimParts(name: string, homes: Homes, calledAt: number): PartClaim[] {
  return (recorded[name] ?? []).map((event) => claimPart(homes, event, calledAt));
}

/** Whether anything is recorded on this machine. With settings that cannot be read nothing is, and all of it counts as lost. */
function isCaptureOn(settings: SessionSettings | null, variables: NodeJS.ProcessEnv): boolean {
  if (variables['KEEPSAKE_CAPTURE'] === 'off') return false;
  return settings === null || (settings.vault !== null && settings.capture !== 'never');
}

/** Asked for where the client makes a summary anyway, so that it costs nothing. */
const worthRemembering =
  'In the summary, add a section "Worth remembering": decisions with their reasons, lasting facts and open tasks of this conversation, one line each.';

type Called = {
  name: string;
  /** Null when the input could not be read. */
  event: HookEvent | null;
  settings: SessionSettings | null;
  claims: PartClaim[];
};

/** What went wrong, or null. */
async function act({ name, event, settings, claims }: Called, options: HookOptions): Promise<string | null> {
  if (event === null) return 'the input of the hook is no JSON of a known client, or longer than 1 MB';
  if (settings === null && claims.length > 0) return 'sessions.json cannot be read';
  const { vault, capture, unattended, links } = settings ?? noSettings;
  const remote = remoteOf(event.folder);
  const linked = linkOf(event.folder, remote, links);
  if (name === 'session-start') return linked.kind === 'none' ? null : tell(event, linked, vault, options);
  const isWanted =
    isCaptureOn(settings, options.variables) &&
    linked.kind !== 'none' &&
    (capture === 'everywhere' || linked.kind === 'project') &&
    (unattended || isAttended(event, options.variables));
  if (vault === null || !isWanted) {
    for (const claim of claims) claim.release();
    return null;
  }
  if (name === 'pre-compact') {
    if (event.client === 'claude-code' || event.client === 'opencode') options.print(`${worthRemembering}\n`);
    return null;
  }
  const place = { vault, remote, project: linked.kind === 'project' ? linked.project : null };
  let isKept = true;
  for (const [index, claim] of claims.entries()) {
    const part = partOf(claim.event, event, place, options.calledAt + index);
    if (part === null) claim.release();
    else if (!claim.record(part)) isKept = false;
  }
  const isOver = name === 'post-compact' || (name === 'session-end' && event.said['reason'] !== 'resume');
  if (isOver) await options.drain(vault);
  return isKept ? null : 'too much waits to be recorded';
}

async function tell(
  { client, folder, source }: HookEvent,
  linked: Linked,
  vault: string | null,
  { brief, print, calledAt }: HookOptions,
): Promise<string | null> {
  const text = await within(
    briefTimeoutMs - (Date.now() - calledAt),
    brief({ vault, folder, source: source ?? 'startup', linked }),
  );
  if (text === undefined) return `the brief took longer than ${briefTimeoutMs / 1_000} s`;
  const said =
    client === 'cursor'
      ? { additional_context: text }
      : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } };
  if (text !== null) print(`${JSON.stringify(said)}\n`);
  return null;
}

/** Undefined when it takes longer. */
async function within<Result>(timeoutMs: number, result: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, timeoutMs));
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function readInput(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length <= longest) chunks.push(bytes);
  }
  return length > longest ? '' : Buffer.concat(chunks).toString();
}
