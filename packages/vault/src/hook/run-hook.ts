import { detectClient, parseHookEvent } from './event.ts';
import type { HookEvent } from './event.ts';
import { resolveBaseFolders } from './base-folders.ts';
import type { BaseFolders } from './base-folders.ts';
import { resolveProjectLink } from './link.ts';
import type { ProjectLink } from './link.ts';
import { readPlace } from './place.ts';
import type { Place } from './place.ts';
import { isAttended, toSessionEvent } from './session-event.ts';
import type { SessionEvent } from './session-event.ts';
import { defaultSettings, parseSettings } from './settings.ts';
import type { SessionSettings } from './settings.ts';
import { claimEvent, recordHookCall } from './spool.ts';
import type { EventClaim } from './spool.ts';

export type HookOptions = {
  /**
   * When the client called, in epoch milliseconds. Events of a session are ordered by it, however late each process
   * gets to run.
   */
  calledAt: number;
  variables: NodeJS.ProcessEnv;
  input: () => AsyncIterable<Uint8Array | string>;
  /**
   * Called when the input has been read. Until then a signal may end the process; afterwards only once the event is
   * recorded.
   */
  deferSignals?: () => void;
  print: (text: string) => void;
  /**
   * Creates the brief at the start of a session. Loads the rest of the program, so it is called only when
   * needed.
   */
  brief: (request: BriefRequest) => Promise<Brief | null>;
  /** Starts a detached process that imports finished sessions into the vault. */
  drain: (vault: string) => Promise<void>;
};

export type BriefRequest = {
  vault: string | null;
  place: Place;
  /** The id of the session that starts. */
  session: string;
  source: string;
  linked: ProjectLink;
};

/** What is said at the start of a session: the text for the model, and one line for the user. */
export type Brief = { text: string; message: string | null };

/** Maximum input; the rest is read and discarded, so that the client is not blocked. */
const maxInputBytes = 1_000_000;

/** Measured from the start of the process. A client waits for the brief and stops the hook after five seconds. */
const briefTimeoutMs = 3_000;

/**
 * The hook that clients call as `<client> <event>`, with JSON on standard input. It never fails and prints only text
 * for the model, so that a problem here never disturbs a session. An event that could not be recorded leaves its claim
 * behind and so is counted as lost.
 */
export async function runHook([client = '', name = '']: string[], options: HookOptions): Promise<void> {
  const { variables, calledAt } = options;
  try {
    const homes = resolveBaseFolders(variables);
    const settings = parseSettings(homes.configuration);
    const claims = isCaptureOn(settings, variables) ? claimEvents(name, homes, calledAt) : [];
    const event = parseHookEvent(await readInput(options.input()), client, variables);
    options.deferSignals?.();
    if (!hookEvents.has(name) || (event === null && claims.length === 0)) return;
    const problem = await handleEvent({ name, event, settings, claims }, options).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    recordHookCall(homes.state, {
      client: event?.client ?? detectClient(client, {}, variables),
      event: name,
      at: Date.now(),
      took: Date.now() - calledAt,
      problem,
    });
  } catch {
    // A hook never fails; see above.
  }
}

const hookEvents = new Set([
  'session-start',
  'prompt',
  'turn',
  'after-agent',
  'pre-compact',
  'post-compact',
  'session-end',
]);

/** The events that each hook records. Gemini CLI reports a prompt together with its answer. */
const recorded: Record<string, SessionEvent['event'][]> = {
  prompt: ['prompt'],
  turn: ['turn'],
  'after-agent': ['prompt', 'turn'],
  'post-compact': ['post-compact'],
  'session-end': ['session-end'],
};

/** Called before any input is read, because the client may kill the process at any moment. */
function claimEvents(name: string, homes: BaseFolders, calledAt: number): EventClaim[] {
  return (recorded[name] ?? []).map((event) => claimEvent(homes, event, calledAt));
}

/**
 * Whether sessions are recorded on this machine. With unreadable settings nothing is recorded, and all events count as
 * lost.
 */
function isCaptureOn(settings: SessionSettings | null, variables: NodeJS.ProcessEnv): boolean {
  if (variables['KEEPSAKE_CAPTURE'] === 'off') return false;
  return settings === null || (settings.vault !== null && settings.capture !== 'never');
}

/** Added to the summary that the client creates anyway, so that it costs no extra call. */
const compactInstruction =
  'In the summary, add a section "Worth remembering": decisions with their reasons, lasting facts and open tasks of this conversation, one line each.';

type HookCall = {
  name: string;
  /** Null if the input could not be parsed. */
  event: HookEvent | null;
  settings: SessionSettings | null;
  claims: EventClaim[];
};

/** Returns an error message, or null on success. */
async function handleEvent(
  { name, event, settings, claims }: HookCall,
  options: HookOptions,
): Promise<string | null> {
  if (event === null) return 'the hook input is not JSON of a known client, or is larger than 1 MB';
  if (settings === null && claims.length > 0) return 'sessions.json cannot be read';
  const { vault, capture, unattended, links } = settings ?? defaultSettings;
  const place = readPlace(event.folder);
  const linked = resolveProjectLink(place, links);
  if (name === 'session-start')
    return linked.kind === 'none' ? null : printBrief(event, { vault, place, linked }, options);
  const isCaptured =
    isCaptureOn(settings, options.variables) &&
    linked.kind !== 'none' &&
    (capture === 'everywhere' || linked.kind === 'project') &&
    (unattended || isAttended(event, options.variables));
  if (vault === null || !isCaptured) {
    for (const claim of claims) claim.release();
    return null;
  }
  if (name === 'pre-compact') {
    if (event.client === 'claude-code' || event.client === 'opencode')
      options.print(`${compactInstruction}\n`);
    return null;
  }
  const project = linked.kind === 'project' ? linked.project : null;
  const { repository, branch } = place;
  const scope = {
    vault,
    remote: repository?.remote ?? null,
    repository: repository?.folder ?? null,
    project,
    branch,
  };
  let isSpooled = true;
  for (const [index, claim] of claims.entries()) {
    const part = toSessionEvent(claim.event, event, scope, options.calledAt + index);
    if (part === null) claim.release();
    else if (!claim.record(part)) isSpooled = false;
  }
  const hasEnded =
    name === 'post-compact' || (name === 'session-end' && event.payload['reason'] !== 'resume');
  if (hasEnded) await options.drain(vault);
  return isSpooled ? null : 'the spool is full';
}

/** The clients that show a `systemMessage` to the user. */
const clientsWithMessage = new Set(['claude-code', 'codex', 'gemini-cli']);

async function printBrief(
  { client, session, source }: HookEvent,
  where: Pick<BriefRequest, 'vault' | 'place' | 'linked'>,
  { brief, print, calledAt }: HookOptions,
): Promise<string | null> {
  const created = await within(
    briefTimeoutMs - (Date.now() - calledAt),
    brief({ ...where, session, source: source ?? 'startup' }),
  );
  if (created === undefined) return `the brief took longer than ${briefTimeoutMs / 1_000} s`;
  if (created === null) return null;
  const { text, message } = created;
  const output =
    client === 'cursor'
      ? { additional_context: text }
      : {
          ...(message !== null && clientsWithMessage.has(client) && { systemMessage: message }),
          hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text },
        };
  print(`${JSON.stringify(output)}\n`);
  return null;
}

/** Resolves to undefined on timeout. */
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
    if (length <= maxInputBytes) chunks.push(bytes);
  }
  return length > maxInputBytes ? '' : Buffer.concat(chunks).toString();
}
