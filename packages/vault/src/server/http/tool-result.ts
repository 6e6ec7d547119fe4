import type { ToolOutcome } from '../../tools/index.ts';
import { Problem } from './problem.ts';

type Result = Extract<ToolOutcome, { kind: 'result' }>['result'];

/** Returns the result of a tool call. Errors, which a model gets as results, are thrown as problems here. */
export function unwrapToolResult(outcome: ToolOutcome): Result {
  if (outcome.kind === 'refused') throw new Problem('refused', { detail: outcome.message });
  const { errors } = outcome.result.value;
  if (errors.length > 0) throw new Problem('refused', { detail: outcome.result.text, errors });
  return outcome.result;
}
