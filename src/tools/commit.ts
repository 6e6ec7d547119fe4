import type { Undone } from '../changes/index.ts';
import { errorLine } from './define-tool.ts';
import type { Tool, ToolOutcome } from './define-tool.ts';
import type { WriteRun } from './run.ts';
import { showConflict } from './show-conflict.ts';

type Why = { origin: string; isConfirmed?: boolean | undefined; id?: string | undefined };

const mostAttempts = 3;

/** Calls a tool, and commits what it staged at once. When somebody was faster, the tool looks again at what is there now. */
export async function callAndCommit(
  tool: Tool,
  input: unknown,
  run: WriteRun,
  { origin, isConfirmed, id }: Why,
): Promise<ToolOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tool.call(input, run);
    if (tool.effect === 'read' || outcome.kind === 'refused' || outcome.result.value.errors.length > 0)
      return outcome;
    const summary = outcome.result.text.split('\n')[0] ?? tool.name;
    const written = await run.transaction.commit({ id, origin, summary }, isConfirmed);
    if (written.kind !== 'conflict' || attempt === mostAttempts) return withNote(outcome, written);
    run.transaction.drop([...run.transaction.staged().keys(), ...run.transaction.removedFolders()]);
  }
}

function withNote(outcome: Extract<ToolOutcome, { kind: 'result' }>, written: Undone): ToolOutcome {
  const { error, note } = explainWritten(written);
  if (error !== null || note === '') return error ?? outcome;
  return { kind: 'result', result: { ...outcome.result, text: `${outcome.result.text}\n\n${note}` } };
}

/** What to say of a commit: an error that replaces whatever was said, or a note to add to it. */
export function explainWritten(written: Undone): { error: ToolOutcome | null; note: string } {
  switch (written.kind) {
    case 'written':
      return { error: null, note: written.warnings.map((warning) => `warning: ${warning}`).join('\n') };
    case 'nothing':
      return { error: null, note: '' };
    case 'held':
      return {
        error: null,
        note: `held, nothing is written yet: ${written.reason}. A person decides: keepsake approve ${written.id}`,
      };
    case 'unconfirmed':
      return {
        error: failed(`${written.reason}; nothing was written. If that is meant, run it again with --force`),
        note: '',
      };
    case 'unknown':
      return { error: failed('there is no such change; see: keepsake history'), note: '' };
    case 'not-applied':
      return { error: failed(`the change is ${written.state}, so there is nothing to do`), note: '' };
    case 'conflict': {
      const { text, errors } = showConflict(written.files);
      return { error: { kind: 'result', result: { text, images: [], value: { errors } } }, note: '' };
    }
  }
}

function failed(message: string): ToolOutcome {
  const error = { path: '', message };
  return { kind: 'result', result: { text: errorLine(error), images: [], value: { errors: [error] } } };
}
