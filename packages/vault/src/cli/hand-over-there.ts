import type { Owner, Update } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import { acceptThere, findUpdateThere, modelThere, OwnerGone, questionsThere } from '../server/index.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { followUpdate, isOver } from './follow-update.ts';
import { interruptible } from './live.ts';
import { showAccepted, showReading, unknownItem } from './show-accepted.ts';
import type { HandOverOptions } from './show-accepted.ts';
import { note } from './show-outcome.ts';
import { updateOutcome } from './show-update.ts';
import { createStatusLine } from './status-line.ts';

type Outcome =
  | { kind: 'over'; code: ExitCode }
  /** What remains is to be done in this process; `id` is null when the update was not accepted yet. */
  | { kind: 'left'; id: string | null };

/** Hands an update to the process that serves the vault; with `wait`, waits there until it is filed. */
export async function handOverThere(
  cli: Cli,
  owner: Owner,
  input: UpdateInput,
  options: HandOverOptions & { key: string },
): Promise<Outcome> {
  const { wait, json, key } = options;
  let id: string | null = null;
  try {
    const hasModel = wait === true && (await modelThere(owner)).agents !== null;
    if (wait === true && !hasModel && (await hasModelHere(cli))) return { kind: 'left', id };
    if (input.inboxRef !== undefined && !(await questionsThere(owner)).includes(input.inboxRef))
      throw unknownItem(input.inboxRef);
    for (const { name } of input.files) showReading(cli, name);
    const accepted = await interruptible(cli, (signal) => acceptThere(owner, input, { key, signal }));
    ({ id } = accepted);
    showAccepted(cli, accepted, options);
    if (hasModel) return { kind: 'over', code: await waitThere(cli, owner, id, json) };
    if (wait === true || json !== true) note(cli, await whoFilesThere(owner));
    if (wait === true && json === true) showJson(cli, (await findUpdateThere(owner, id)).update);
    return { kind: 'over', code: wait === true ? exitCode.errors : exitCode.ok };
  } catch (error) {
    if (error instanceof OwnerGone) return { kind: 'left', id };
    throw error;
  }
}

async function hasModelHere(cli: Cli): Promise<boolean> {
  return (await import('./who-files.ts')).hasModel(cli);
}

async function whoFilesThere(owner: Owner): Promise<string> {
  const { agents, problem } = await modelThere(owner);
  const server = `the process that serves the vault (${owner.pid})`;
  return agents === null
    ? `it is kept, and filed by ${server} as soon as that has a model: ${problem?.text}`
    : `it is filed by ${server}; follow it with: keepsake updates`;
}

async function waitThere(cli: Cli, owner: Owner, id: string, json: boolean | undefined): Promise<ExitCode> {
  const update = await interruptible(cli, async (signal) => {
    try {
      return await showUntilOver(cli, owner, id, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return (await findUpdateThere(owner, id)).update;
    }
  });
  const { text, code } = updateOutcome(update);
  if (json === true) showJson(cli, update);
  else cli.stdout.write(`${text}\n`);
  if (update.state === 'waiting') note(cli, await whoFilesThere(owner));
  return code;
}

async function showUntilOver(cli: Cli, owner: Owner, id: string, signal: AbortSignal): Promise<Update> {
  const status = createStatusLine(cli.stderr);
  const follow = followUpdate();
  try {
    for (;;) {
      const { update, steps } = await findUpdateThere(owner, id, { waitSeconds: 1, signal });
      const { lines, waiting, isNew } = follow(update, steps, Date.now());
      for (const line of lines) status.say(line);
      if (isOver(update)) return update;
      status.show(waiting, isNew);
    }
  } finally {
    status.show(null, false);
  }
}

function showJson({ stdout }: Cli, update: Update): void {
  stdout.write(`${JSON.stringify(update, null, 2)}\n`);
}
