import type { Keepsake, Update } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import { withKeepsake } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { withInterrupt, withQueueOutput } from './show-live.ts';
import { isShownAtOnce, printAccepted, printReadingNote, unknownItemError } from './print-accepted.ts';
import type { SubmitOptions } from './print-accepted.ts';
import { note, reportError } from './print-outcome.ts';
import { formatUpdateOutcome } from './format-update.ts';
import { describeFiling } from './describe-filing.ts';
import type { Waiting } from './describe-without-model.ts';
import { isOver } from './follow-update.ts';

/** Accepts an update in this process, unless it already has an id; with `wait`, also files it here. */
export function acceptLocally(
  cli: Cli,
  input: UpdateInput,
  options: SubmitOptions & { key: string },
  knownId: string | null,
): Promise<ExitCode> {
  return withKeepsake(cli, options, async (keepsake) => {
    const id = knownId ?? (await accept(cli, keepsake, input, options));
    const update = keepsake.agents.updates.find(id);
    if (isShownAtOnce(input, options) && update !== undefined && isOver(update, Date.now()))
      return printUpdate(cli, update, options.json);
    const waiting = input.inboxRef === undefined ? 'it' : 'the answer';
    if (options.wait === true) return fileLocally(cli, keepsake, { id, waiting }, options.json);
    if (options.json !== true) note(cli, describeFiling(cli, keepsake, waiting).text);
    return exitCode.ok;
  });
}

async function accept(
  cli: Cli,
  keepsake: Keepsake,
  input: UpdateInput,
  options: SubmitOptions & { key: string },
): Promise<string> {
  const { inboxRef } = input;
  if (inboxRef !== undefined) {
    const waiting = await keepsake.inbox();
    if (!waiting.some((each) => each.kind === 'question' && each.item === inboxRef))
      throw unknownItemError(inboxRef);
  }
  const accepted = await withInterrupt(cli, (signal) =>
    keepsake.accept(input, { key: options.key, signal, onProgress: (name) => printReadingNote(cli, name) }),
  );
  printAccepted(cli, accepted, options);
  return accepted.id;
}

async function fileLocally(
  cli: Cli,
  keepsake: Keepsake,
  { id, waiting }: { id: string; waiting: Waiting },
  json: boolean | undefined,
): Promise<ExitCode> {
  const { updates } = keepsake.agents;
  const { text: next, canFileHere } = describeFiling(cli, keepsake, waiting);
  if (!canFileHere) {
    note(cli, next);
    if (json === true) cli.stdout.write(`${JSON.stringify(updates.find(id), null, 2)}\n`);
    return exitCode.errors;
  }
  await withInterrupt(cli, (signal) =>
    withQueueOutput(cli, keepsake, () => updates.work(id, signal, (error) => reportError(cli, error))),
  );
  const update = updates.find(id);
  if (update === undefined) throw new Error(`update ${id} not found`);
  const code = printUpdate(cli, update, json);
  if (update.state === 'waiting')
    note(
      cli,
      `${describeFiling(cli, keepsake, waiting).text}\nif the model stays away: tell a connected AI tool to "file what waits"`,
    );
  return code;
}

function printUpdate(cli: Cli, update: Update, json: boolean | undefined): ExitCode {
  const { text, code } = formatUpdateOutcome(update, cli.environment.language);
  cli.stdout.write(json === true ? `${JSON.stringify(update, null, 2)}\n` : `${text}\n`);
  return code;
}
