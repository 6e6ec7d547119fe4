import type { Answer, Reason } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import { readToolNamed } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import type { Language } from '../../vault/index.ts';
import { bindReadTools } from '../bind-tools.ts';
import { startConversation } from '../conversation.ts';
import type { Called, AgentSettings } from '../conversation.ts';
import { today, vaultContext } from '../opening.ts';
import { readPrompt } from '../read-prompt.ts';
import { composeAnswer, evidenceOf } from './answer.ts';
import { formerText } from './former.ts';
import type { Former } from './former.ts';
import { judgeTurn, noProgress } from './judge-turn.ts';
import type { SearchTurn } from './judge-turn.ts';

type Parts = AgentSettings & {
  /** Can only read: a run that could write is not accepted. */
  run: ReadRun;
  /** Of the words that code adds to an answer. */
  language: Language;
  /** For events. */
  id: string;
  signal: AbortSignal;
  /** What was asked and answered before, of which the question may speak; oldest first. */
  former?: readonly Former[];
  onText?: (text: string) => void;
};

export type Answered = { kind: 'answered'; answer: Answer } | { kind: 'stopped'; reason: Reason };

/** Answers a question with source lines word for word. What is shown of the vault comes from `concat` alone. */
export async function answerQuestion(question: string, parts: Parts): Promise<Answered> {
  const { run, id, signal } = parts;
  const tools = ['tree', 'read', 'search', 'concat'].map(readToolNamed);
  const conversation = startConversation({
    ...parts,
    run: id,
    instructions: readPrompt('search', run.view.layout()),
    tools: bindReadTools(tools, run),
    signal,
  });
  conversation.say(await vaultContext(run));
  const before = formerText(parts.former ?? []);
  conversation.say({
    text: `${before}It is ${today(parts.clock())}. The question:\n\n${question}`,
    images: [],
  });

  let progress = noProgress;
  let hasLooked = false;
  for (;;) {
    const turn = await conversation.proceed((calls) => {
      hasLooked ||= calls.some(showsContent);
      return calls.some(isConcat);
    });
    if (turn.kind === 'stopped') return turn;
    const verdict = judgeTurn(progress, { text: turn.text, concat: concatOf(turn.calls), hasLooked });
    if (verdict.kind === 'fail') throw badAnswer(`${parts.model.name} answered ${verdict.reason}`);
    if (verdict.kind === 'accept') {
      const { overview, evidence } = verdict;
      return { kind: 'answered', answer: composeAnswer(overview, evidence, parts.language) };
    }
    progress = verdict.progress;
    if (verdict.text !== null) conversation.say({ text: verdict.text, images: [] });
  }
}

function badAnswer(message: string): ModelError {
  return new ModelError('bad-answer', message, { mend: 'try again, or choose another model' });
}

function isConcat({ tool }: Called): boolean {
  return tool === 'concat';
}

function concatOf(calls: readonly Called[]): SearchTurn['concat'] {
  const concats = calls.filter(isConcat);
  if (concats.length === 0) return null;
  return { asked: JSON.stringify(concats.map(({ input }) => input)), evidence: evidenceOf(concats) };
}

/** Whether a call has shown what files say; a list of their names does not. */
function showsContent({ tool, outcome }: Called): boolean {
  if (outcome.kind === 'refused') return false;
  const { files = [], images = [] } = outcome.result.value as { files?: unknown[]; images?: unknown[] };
  return tool === 'search' || (tool === 'read' && files.length + images.length > 0);
}
