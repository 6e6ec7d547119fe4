import { waitsForModel } from '../app/index.ts';
import type { Update } from '../app/index.ts';
import { formatLocalTime, formatReceipt } from '../contract/index.ts';
import { pluralize, formatTime } from '../vault/index.ts';
import type { Language } from '../vault/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';

/** One line, ending with cost or tokens: `2025-07-14 18:30  3f2c91aa  done     We drop the external API  · 0.0123`. */
export function formatUpdateLine(update: Update): string {
  const { id, acceptedAt, input } = update;
  const about = input.text.trim() === '' ? input.files.map(({ name }) => name).join(', ') : input.text.trim();
  const [line = ''] = about.split('\n');
  const cost = update.spent === null ? '' : `  · ${shortCost(update.spent)}`;
  return `${formatTime(formatLocalTime(acceptedAt))}  ${id.slice(0, 8)}  ${getDisplayState(update).padEnd(9)}  ${line.length > 80 ? `${line.slice(0, 79)}…` : line}${cost}`;
}

function shortCost({ cost, input, output }: NonNullable<Update['spent']>): string {
  return cost === null ? `${number(input + output)} tokens` : cost.toFixed(4);
}

const number = (value: number): string => value.toLocaleString('en-US');

/** The line of an update; for a failed one, also the reason and what happens next. */
export function formatUpdate(update: Update): string {
  const { id, state, reason, attempts, nextAttemptAt } = update;
  const below =
    state === 'parked'
      ? [reason?.text ?? '', `parked; retry with: keepsake updates retry ${id.slice(0, 8)}`]
      : nextAttemptAt === null
        ? []
        : [
            `${waitsForModel(update) ? 'waiting for the model' : `attempt ${attempts} failed`}: ${reason?.text ?? ''}`,
            formatNextAttempt(nextAttemptAt, Date.now()),
          ];
  return [formatUpdateLine(update), ...below.map((line) => `    ${line}`)].join('\n');
}

/** When the next attempt of an update is due. */
export function formatNextAttempt(at: number, now: number): string {
  return at > now ? `next attempt in ${Math.ceil((at - now) / 1_000)} s` : 'next attempt is due';
}

function getDisplayState({ state, result, decision }: Update): string {
  if (decision !== null) return decision;
  return result?.kind === 'held'
    ? 'held'
    : result?.kind === 'filed' && result.asked !== null
      ? 'asks'
      : state;
}

/** The model usage of an update; empty when there was none. */
export function formatUpdateCost({ spent }: Update): string {
  if (spent === null) return '';
  const { steps, input, cached, written, output, cost } = spent;
  const cacheText =
    cached + written === 0 ? '' : ` (${number(cached)} from cache, ${number(written)} written to cache)`;
  const price = cost === null ? '' : `, cost ${cost.toFixed(4)}`;
  return `${pluralize(steps, 'step')}, ${number(input)} input tokens${cacheText}, ${number(output)} output tokens${price}`;
}

/** The result of an update, and what to do next. */
export function formatUpdateOutcome(update: Update, language: Language): { text: string; code: ExitCode } {
  const { id, state, reason, result, nextAttemptAt, decision } = update;
  const short = id.slice(0, 8);
  const failed = reason === null ? '' : `${reason.text}\n`;
  switch (state) {
    case 'waiting':
      return nextAttemptAt === null
        ? { text: `${short} is waiting in the queue`, code: exitCode.ok }
        : { text: `${failed}${formatNextAttempt(nextAttemptAt, Date.now())}`, code: exitCode.errors };
    case 'running':
      return { text: `${short} is being filed`, code: exitCode.ok };
    case 'parked':
      return {
        text: `${failed}parked; retry with: keepsake updates retry ${short}`,
        code: exitCode.errors,
      };
    case 'cancelled':
      return { text: `cancelled; retry with: keepsake updates retry ${short}`, code: exitCode.ok };
    case 'done':
      return { text: resultText(short, result, decision, language), code: exitCode.ok };
  }
}

function resultText(
  short: string,
  result: Update['result'],
  decision: Update['decision'],
  language: Language,
): string {
  if (result === null) return 'done';
  if (result.kind === 'unchanged')
    return [
      result.summary,
      '',
      'nothing was changed',
      ...result.known.map((lines) => `  ${lines}`),
      ...(result.earlier === undefined ? [] : ['', 'to file it anyway, repeat the command with --again']),
    ].join('\n');
  const { receipt, paths, summary } = result;
  const changes = (receipt === null ? paths : formatReceipt(receipt, language)).map((line) => `  ${line}`);
  if (result.kind === 'filed') {
    const next =
      result.asked === null
        ? `undo with: keepsake undo ${short}`
        : `the agent has a question; answer with: keepsake inbox answer ${result.asked} "…"`;
    return [summary, '', ...changes, '', next].join('\n');
  }
  if (decision !== null) return [summary, '', ...changes, '', `${decision} by you`].join('\n');
  return [
    `held for approval, nothing written: ${result.reason.text}`,
    '',
    summary,
    '',
    ...changes,
    '',
    `review it with: keepsake show ${short}; then: keepsake approve ${short}, or: keepsake reject ${short}`,
  ].join('\n');
}
