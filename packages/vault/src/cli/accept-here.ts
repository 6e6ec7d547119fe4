import type { Keepsake } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import { withKeepsake } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { interruptible, showQueue } from './live.ts';
import { showAccepted, showReading, unknownItem } from './show-accepted.ts';
import type { HandOverOptions } from './show-accepted.ts';
import { note, reportError } from './show-outcome.ts';
import { updateOutcome } from './show-update.ts';
import { whoFiles } from './who-files.ts';

/** Accepts an update in this process, unless it has an id already; with `wait`, files it here. */
export function acceptHere(
  cli: Cli,
  input: UpdateInput,
  options: HandOverOptions & { key: string },
  knownId: string | null,
): Promise<ExitCode> {
  return withKeepsake(cli, options, async (keepsake) => {
    const id = knownId ?? (await accept(cli, keepsake, input, options));
    if (options.wait === true) return fileHere(cli, keepsake, id, options.json);
    if (options.json !== true) note(cli, whoFiles(cli, keepsake).text);
    return exitCode.ok;
  });
}

async function accept(
  cli: Cli,
  keepsake: Keepsake,
  input: UpdateInput,
  options: HandOverOptions & { key: string },
): Promise<string> {
  const { inboxRef } = input;
  if (inboxRef !== undefined) {
    const waiting = await keepsake.inbox();
    if (!waiting.some((each) => each.kind === 'question' && each.item === inboxRef))
      throw unknownItem(inboxRef);
  }
  const accepted = await interruptible(cli, (signal) =>
    keepsake.accept(input, { key: options.key, signal, onProgress: (name) => showReading(cli, name) }),
  );
  showAccepted(cli, accepted, options);
  return accepted.id;
}

async function fileHere(
  cli: Cli,
  keepsake: Keepsake,
  id: string,
  json: boolean | undefined,
): Promise<ExitCode> {
  const { updates } = keepsake.agents;
  const { text: next, isPossible } = whoFiles(cli, keepsake);
  if (!isPossible) {
    note(cli, next);
    if (json === true) cli.stdout.write(`${JSON.stringify(updates.find(id), null, 2)}\n`);
    return exitCode.errors;
  }
  await interruptible(cli, (signal) =>
    showQueue(cli, keepsake, () => updates.work(id, signal, (error) => reportError(cli, error))),
  );
  const update = updates.find(id);
  if (update === undefined) throw new Error(`the update ${id} is gone`);
  const { text, code } = updateOutcome(update);
  cli.stdout.write(json === true ? `${JSON.stringify(update, null, 2)}\n` : `${text}\n`);
  if (update.state === 'waiting') note(cli, whoFiles(cli, keepsake).text);
  return code;
}
