import type { OwnerProcess, Update } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import { acceptThere, findUpdateThere, modelThere, OwnerGoneError, questionsThere } from '../server/index.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { describeWithoutModel } from './describe-without-model.ts';
import type { Waiting } from './describe-without-model.ts';
import { followUpdate, isOver } from './follow-update.ts';
import { withInterrupt } from './show-live.ts';
import { isShownAtOnce, printAccepted, printReadingNote, unknownItemError } from './print-accepted.ts';
import type { SubmitOptions } from './print-accepted.ts';
import { note } from './print-outcome.ts';
import { formatUpdateOutcome } from './format-update.ts';
import { createStatusLine } from './status-line.ts';

type Outcome =
  | { kind: 'over'; code: ExitCode }
  /** The rest must be done in this process; `id` is null when the update is not accepted yet. */
  | { kind: 'left'; id: string | null };

/** Submits an update to the process that serves the vault; with `wait`, waits until that process has filed it. */
export async function submitRemotely(
  cli: Cli,
  owner: OwnerProcess,
  input: UpdateInput,
  options: SubmitOptions & { key: string },
): Promise<Outcome> {
  const { wait, json, key } = options;
  let id: string | null = null;
  try {
    const isNote = input.asNote === true;
    const hasModel = wait === true && (isNote || (await modelThere(owner)).agents !== null);
    if (wait === true && !hasModel && (await hasLocalModel(cli))) return { kind: 'left', id };
    if (input.inboxRef !== undefined && !(await questionsThere(owner)).includes(input.inboxRef))
      throw unknownItemError(input.inboxRef);
    for (const { name } of input.files) printReadingNote(cli, name);
    const accepted = await withInterrupt(cli, (signal) => acceptThere(owner, input, { key, signal }));
    ({ id } = accepted);
    printAccepted(cli, accepted, options);
    if (hasModel) return { kind: 'over', code: await waitRemotely(cli, owner, id, json) };
    const { update } = await findUpdateThere(owner, id);
    if (isShownAtOnce(input, options) && isOver(update, Date.now()))
      return { kind: 'over', code: showOutcome(cli, update, json) };
    if (wait === true || json !== true)
      note(cli, await describeRemoteFiling(owner, input.inboxRef === undefined ? 'it' : 'the answer'));
    if (wait === true && json === true) showJson(cli, update);
    return { kind: 'over', code: wait === true ? exitCode.errors : exitCode.ok };
  } catch (error) {
    if (error instanceof OwnerGoneError) return { kind: 'left', id };
    throw error;
  }
}

async function hasLocalModel(cli: Cli): Promise<boolean> {
  return (await import('./describe-filing.ts')).hasModel(cli);
}

async function describeRemoteFiling(owner: OwnerProcess, waiting: Waiting): Promise<string> {
  const { agents, problem } = await modelThere(owner);
  const server = `process ${owner.pid}`;
  return agents === null
    ? `kept in the queue: ${server} will file ${waiting} once it has a model: ${problem?.text}\n${describeWithoutModel(waiting)}`
    : `${server} will file ${waiting}; follow with: keepsake updates`;
}

async function waitRemotely(
  cli: Cli,
  owner: OwnerProcess,
  id: string,
  json: boolean | undefined,
): Promise<ExitCode> {
  const update = await withInterrupt(cli, async (signal) => {
    try {
      return await showUntilOver(cli, owner, id, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return (await findUpdateThere(owner, id)).update;
    }
  });
  const code = showOutcome(cli, update, json);
  if (update.state === 'waiting') note(cli, await describeRemoteFiling(owner, 'it'));
  return code;
}

async function showUntilOver(
  cli: Cli,
  owner: OwnerProcess,
  id: string,
  signal: AbortSignal,
): Promise<Update> {
  const status = createStatusLine(cli.stderr);
  const follow = followUpdate();
  try {
    for (;;) {
      const { update, steps } = await findUpdateThere(owner, id, { waitSeconds: 1, signal });
      const { lines, waiting, isNew } = follow(update, steps, Date.now());
      for (const line of lines) status.printLine(line);
      if (isOver(update, Date.now())) return update;
      status.update(waiting, isNew);
    }
  } finally {
    status.update(null, false);
  }
}

function showJson({ stdout }: Cli, update: Update): void {
  stdout.write(`${JSON.stringify(update, null, 2)}\n`);
}

function showOutcome(cli: Cli, update: Update, json: boolean | undefined): ExitCode {
  const { text, code } = formatUpdateOutcome(update, cli.environment.language);
  if (json === true) showJson(cli, update);
  else cli.stdout.write(`${text}\n`);
  return code;
}
