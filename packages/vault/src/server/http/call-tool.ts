import type { ToolOutcome } from '../../tools/index.ts';
import { Problem } from './problem.ts';

type Result = Extract<ToolOutcome, { kind: 'result' }>['result'];

/** What a call came to; errors, which are results to a model, are a problem here. */
export function resultOf(outcome: ToolOutcome): Result {
  if (outcome.kind === 'refused') throw new Problem('refused', { detail: outcome.message });
  const { errors } = outcome.result.value;
  if (errors.length > 0) throw new Problem('refused', { detail: outcome.result.text, errors });
  return outcome.result;
}
