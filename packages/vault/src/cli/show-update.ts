import type { Update } from '../app/index.ts';
import { localTime } from '../contract/index.ts';
import { count, showTime } from '../vault/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';

/** One line: `2025-07-14 18:30  3f2c91aa  done     We drop the external API  · 0.0123`: at its end what it cost, or its tokens. */
export function updateLine(update: Update): string {
  const { id, acceptedAt, input } = update;
  const about = input.text.trim() === '' ? input.files.map(({ name }) => name).join(', ') : input.text.trim();
  const [line = ''] = about.split('\n');
  const cost = update.spent === null ? '' : `  · ${shortCost(update.spent)}`;
  return `${showTime(localTime(acceptedAt))}  ${id.slice(0, 8)}  ${stateOf(update).padEnd(9)}  ${line.length > 80 ? `${line.slice(0, 79)}…` : line}${cost}`;
}

function shortCost({ cost, input, output }: NonNullable<Update['spent']>): string {
  return cost === null ? `${number(input + output)} tokens` : cost.toFixed(4);
}

const number = (value: number): string => value.toLocaleString('en-US');

/** The same, and below it of one that failed: why, and what comes next. */
export function updateLines(update: Update): string {
  const { id, state, reason, attempts, nextAttemptAt } = update;
  const below =
    state === 'parked'
      ? [reason?.text ?? '', `it is kept; try it again with: keepsake updates retry ${id.slice(0, 8)}`]
      : nextAttemptAt === null
        ? []
        : [`attempt ${attempts} failed: ${reason?.text ?? ''}`, whenAgain(nextAttemptAt, Date.now())];
  return [updateLine(update), ...below.map((line) => `    ${line}`)].join('\n');
}

/** When the next attempt of an update is due. */
export function whenAgain(at: number, now: number): string {
  return at > now
    ? `the next attempt is due in ${Math.ceil((at - now) / 1_000)} s`
    : 'the next attempt is due';
}

function stateOf({ state, result, decision }: Update): string {
  if (decision !== null) return decision;
  return result?.kind === 'held'
    ? 'held'
    : result?.kind === 'filed' && result.asked !== null
      ? 'asks'
      : state;
}

/** What models have used for it; empty when nothing. */
export function updateCost({ spent }: Update): string {
  if (spent === null) return '';
  const { steps, input, cached, written, output, cost } = spent;
  const kept = cached + written === 0 ? '' : ` (${number(cached)} from cache, ${number(written)} to it)`;
  const price = cost === null ? '' : `, cost ${cost.toFixed(4)}`;
  return `${count(steps, 'step')}, ${number(input)} tokens read${kept}, ${number(output)} written${price}`;
}

/** What became of an update, and what to do next. */
export function updateOutcome(update: Update): { text: string; code: ExitCode } {
  const { id, state, reason, result, nextAttemptAt, decision } = update;
  const short = id.slice(0, 8);
  const failed = reason === null ? '' : `${reason.text}\n`;
  switch (state) {
    case 'waiting':
      return nextAttemptAt === null
        ? { text: `${short} waits for its turn`, code: exitCode.ok }
        : { text: `${failed}${whenAgain(nextAttemptAt, Date.now())}`, code: exitCode.errors };
    case 'running':
      return { text: `${short} is being worked on`, code: exitCode.ok };
    case 'parked':
      return {
        text: `${failed}it is kept; try it again with: keepsake updates retry ${short}`,
        code: exitCode.errors,
      };
    case 'cancelled':
      return { text: `cancelled; take it up again with: keepsake updates retry ${short}`, code: exitCode.ok };
    case 'done':
      return { text: resultText(short, result, decision), code: exitCode.ok };
  }
}

function resultText(short: string, result: Update['result'], decision: Update['decision']): string {
  if (result === null) return 'done';
  const paths = result.kind === 'unchanged' ? [] : result.paths.map((path) => `  ${path}`);
  switch (result.kind) {
    case 'filed': {
      const next =
        result.asked === null
          ? `undo with: keepsake undo ${short}`
          : `it asks back; answer with: keepsake inbox answer ${result.asked} "…"`;
      return [result.summary, '', ...paths, '', next].join('\n');
    }
    case 'held': {
      const next =
        decision === null
          ? [
              `held, nothing is written yet: ${result.reason.text}`,
              `look at it with: keepsake show ${short}; then: keepsake approve ${short}, or: keepsake reject ${short}`,
            ]
          : [`${decision} by you`];
      return [result.summary, '', ...paths, '', ...next].join('\n');
    }
    case 'unchanged':
      return [result.summary, '', 'nothing was changed', ...result.known.map((lines) => `  ${lines}`)].join(
        '\n',
      );
  }
}
