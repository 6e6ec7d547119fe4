import type { Answer, FoundPassage, Reason } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import { getReadTool } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import { walkFilePaths } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import { hideSecrets, maskSecrets, nameSecretKind } from '../../secrets/index.ts';
import { bindReadTools } from '../bind-tools.ts';
import { createConversation } from '../conversation.ts';
import type { AgentOptions, Conversation, ExecutedCall } from '../conversation.ts';
import { hideInRequests } from '../hide-in-requests.ts';
import { formatNow, formatVaultContext } from '../vault-context.ts';
import { loadPrompt } from '../load-prompt.ts';
import { formatAnswer, collectEvidence } from './answer.ts';
import { createOverviewChecker } from './check-overview.ts';
import { findPassages } from './found-passages.ts';
import { readHeadings } from './read-headings.ts';
import { formatPreviousTurns } from './previous-turns.ts';
import type { PreviousTurn } from './previous-turns.ts';
import { judgeTurn, noProgress } from './judge-turn.ts';
import type { SearchTurn } from './judge-turn.ts';

type AnswerOptions = AgentOptions & {
  /** Read-only: a run that can write is not accepted. */
  run: ReadRun;
  /** Language of the notes that code adds to the answer. */
  language: Language;
  /** Identifies the question in events. */
  id: string;
  signal: AbortSignal;
  /** Earlier questions and answers that the question may refer to, oldest first. */
  previousTurns?: readonly PreviousTurn[];
  onText?: (text: string) => void;
  /** Called with passages that a search has found. Must not throw. */
  onPassages?: ((passages: readonly FoundPassage[]) => void) | undefined;
};

export type AnswerResult = { kind: 'answered'; answer: Answer } | { kind: 'stopped'; reason: Reason };

/** Answers a question with verbatim source lines. Only `concat` contributes vault content to the answer. */
export async function answerQuestion(question: string, parts: AnswerOptions): Promise<AnswerResult> {
  const { run, id, signal, language } = parts;
  const { previousTurns = [] } = parts;
  const { texts, secrets } = await maskSecrets([question, ...previousTurns.map((turn) => turn.question)], {
    label: '',
    nameOf: (kind) => nameSecretKind(kind, language),
  });
  const [masked = '', ...earlier] = texts;
  const tools = ['tree', 'read', 'search', 'concat'].map(getReadTool);
  const conversation = createConversation({
    ...parts,
    model: hideInRequests(parts.model, (text) => hideSecrets(text, secrets)),
    run: id,
    instructions: loadPrompt('search', run.view.layout()),
    tools: bindReadTools(tools, run),
    signal,
  });
  for (const block of await formatVaultContext(run)) conversation.addUserMessage(block);
  const before = formatPreviousTurns(
    previousTurns.map((turn, index) => ({ ...turn, question: earlier[index] ?? '' })),
  );
  conversation.addUserMessage({
    text: `${before}Today is ${formatNow(parts.clock())}. Question:\n\n${masked}`,
    images: [],
  });
  const findUnsupported = createOverviewChecker({
    questions: texts,
    paths: [...walkFilePaths(await run.view.contents())],
    today: new Date(new Date(parts.clock()).setHours(0, 0, 0, 0)),
  });

  try {
    return await searchUntilAnswered(conversation, findUnsupported, parts);
  } finally {
    conversation.close();
  }
}

async function searchUntilAnswered(
  conversation: Conversation,
  findUnsupported: ReturnType<typeof createOverviewChecker>,
  { run, model, language, onPassages }: AnswerOptions,
): Promise<AnswerResult> {
  let progress = noProgress;
  let [hasLooked, hasSeenLines] = [false, false];
  for (;;) {
    const turn = await conversation.runUntilDone((calls) => {
      hasLooked ||= calls.some(isLook);
      hasSeenLines ||= calls.some(showsLines);
      const passages = findPassages(calls);
      if (passages.length > 0) onPassages?.(passages);
      return calls.some(isConcat);
    });
    if (turn.kind === 'stopped') return turn;
    const concat = await concatOf(turn.calls, run);
    const verdict = judgeTurn(
      progress,
      { text: turn.text, concat, hasLooked, hasSeenLines },
      findUnsupported,
    );
    if (verdict.kind === 'fail') throw invalidAnswerError(`${model.name} ${verdict.reason}`);
    if (verdict.kind === 'accept')
      return { kind: 'answered', answer: formatAnswer(verdict.answer, language) };
    progress = verdict.progress;
    if (verdict.text !== null) conversation.addUserMessage({ text: verdict.text, images: [] });
  }
}

function invalidAnswerError(message: string): ModelError {
  return new ModelError('bad-answer', message, { hint: 'try again or choose another model' });
}

function isConcat({ tool }: ExecutedCall): boolean {
  return tool === 'concat';
}

async function concatOf(calls: readonly ExecutedCall[], run: ReadRun): Promise<SearchTurn['concat']> {
  const concats = calls.filter(isConcat);
  if (concats.length === 0) return null;
  const evidence = collectEvidence(concats);
  const headings = await readHeadings(evidence.blocks, run);
  return {
    request: JSON.stringify(concats.map(({ input }) => input)),
    evidence: { ...evidence, headings },
  };
}

/** Whether a call looked into files, even if nothing was found; a list of file names does not count. */
function isLook(call: ExecutedCall): boolean {
  return (call.tool === 'search' && call.outcome.kind !== 'refused') || showsLines(call);
}

function showsLines({ outcome }: ExecutedCall): boolean {
  if (outcome.kind === 'refused') return false;
  const { files, images, sections } = outcome.result.value as Record<string, unknown[] | undefined>;
  return [files, images, sections].some((shown = []) => shown.length > 0);
}
