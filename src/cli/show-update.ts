import type { Update } from '../app/index.ts';
import { localTime } from '../contract/index.ts';
import { count, showTime } from '../vault/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';

/** One line: `2025-07-14 18:30  3f2c91aa  done        0.0123  We drop the external API`, with what it cost if that is known. */
export function updateLine(update: Update): string {
  const { id, acceptedAt, input } = update;
  const about = input.text.trim() === '' ? input.files.map(({ name }) => name).join(', ') : input.text.trim();
  const [line = ''] = about.split('\n');
  const cost = update.spent?.cost == null ? '' : update.spent.cost.toFixed(4);
  return `${showTime(localTime(acceptedAt))}  ${id.slice(0, 8)}  ${stateOf(update).padEnd(9)}  ${cost.padStart(7)}  ${line.length > 80 ? `${line.slice(0, 79)}…` : line}`;
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
  const number = (value: number): string => value.toLocaleString('en-US');
  const kept = cached + written === 0 ? '' : ` (${number(cached)} from cache, ${number(written)} to it)`;
  const price = cost === null ? '' : `, cost ${cost.toFixed(4)}`;
  return `${count(steps, 'step')}, ${number(input)} tokens read${kept}, ${number(output)} written${price}`;
}

/** What became of an update, and what to do next. */
export function updateOutcome({ id, state, reason, result, attempts, decision }: Update): {
  text: string;
  code: ExitCode;
} {
  const short = id.slice(0, 8);
  const failed = reason === null ? '' : `${reason}\n`;
  switch (state) {
    case 'waiting':
      return attempts === 0
        ? { text: `${short} waits for its turn`, code: exitCode.ok }
        : { text: `${failed}it is tried again later: keepsake updates run`, code: exitCode.errors };
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
              `held, nothing is written yet: ${result.reason}`,
              `look at it with: keepsake show ${short}; then: keepsake approve ${short}, or: keepsake reject ${short}`,
            ]
          : [`${decision} by you`];
      return [result.summary, '', ...paths, '', ...next].join('\n');
    }
    case 'unchanged':
      return `${result.summary}\n\nnothing was changed`;
  }
}
