import { tools } from '../../app/index.ts';
import type { Tool, ToolOutcome } from '../../app/index.ts';
import { Problem } from './problem.ts';

type Result = Extract<ToolOutcome, { kind: 'result' }>['result'];

/** A tool that is known to exist. */
export function toolNamed(name: string): Tool {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

/** What a call came to; errors, which are results to a model, are a problem here. */
export function resultOf(outcome: ToolOutcome): Result {
  if (outcome.kind === 'refused') throw new Problem('refused', { detail: outcome.message });
  const { errors } = outcome.result.value;
  if (errors.length > 0) throw new Problem('refused', { detail: outcome.result.text, errors });
  return outcome.result;
}
