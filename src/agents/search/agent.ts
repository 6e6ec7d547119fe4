import type { Answer, ConcatValue } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import { readToolNamed } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import { joinBlocks, parseBlocks } from '../../vault/index.ts';
import { bindReadTools } from '../bind-tools.ts';
import { startConversation } from '../conversation.ts';
import type { Called, AgentSettings, Turn } from '../conversation.ts';
import { today, vaultContext } from '../opening.ts';
import { readPrompt } from '../read-prompt.ts';

type Parts = AgentSettings & {
  /** Can only read: a run that could write is not accepted. */
  run: ReadRun;
  /** For events. */
  id: string;
  signal: AbortSignal;
};

export type Answered = { kind: 'answered'; answer: Answer } | { kind: 'stopped'; reason: string };

/** How often a concat that did not work out goes back to the model. */
const mostCorrections = 3;

/** Answers a question with source lines word for word. What is shown of the vault comes from `concat` alone. */
export async function answerQuestion(question: string, parts: Parts): Promise<Answered> {
  const { run, id, signal } = parts;
  const tools = ['tree', 'read', 'search', 'concat'].map(readToolNamed);
  const conversation = startConversation({
    ...parts,
    run: id,
    instructions: readPrompt('search'),
    tools: bindReadTools(tools, run),
    signal,
  });
  conversation.say(await vaultContext(run), {
    text: `It is ${today(parts.clock())}. The question:\n\n${question}`,
    images: [],
  });

  let overview = '';
  let evidence: Evidence | null = null;
  let corrections = 0;
  let hasAskedForOverview = false;
  for (;;) {
    const turn: Turn = await conversation.proceed((calls) => calls.some(({ tool }) => tool === 'concat'));
    if (turn.kind === 'stopped') return turn;
    if (turn.text !== '') overview = withoutFences(turn.text);
    const concats = turn.calls.filter(({ tool }) => tool === 'concat');
    if (concats.length > 0) {
      const assembled = evidenceOf(concats);
      const problem = corrections < mostCorrections ? problemWith(assembled) : null;
      if (problem !== null) {
        corrections += 1;
        if (problem !== '') conversation.say({ text: problem, images: [] });
        continue;
      }
      evidence = assembled;
    }
    const lines = overview.split('\n').filter((line) => line.trim() !== '').length;
    if ((lines >= 2 && lines <= 5) || hasAskedForOverview) break;
    hasAskedForOverview = true;
    conversation.say({ text: lines === 0 ? askForOverview : askForLength(lines), images: [] });
  }
  if (overview === '' && evidence === null)
    throw new ModelError('bad-answer', `${parts.model.name} answered nothing`, {
      mend: 'try again, or choose another model',
    });
  return finish(overview, evidence);
}

type Evidence = {
  isComplete: boolean;
  texts: string[];
  blocks: ConcatValue['blocks'];
  /** Whether not all of it fitted. */
  isCut: boolean;
};

const askForOverview =
  'The overview is missing. Write it now, 2 to 5 lines, and nothing else; the documents are assembled already.';

function askForLength(lines: number): string {
  return `The overview has ${lines} lines. Write it again in 2 to 5 lines, and nothing else.`;
}

/** What all calls of one step assembled; a call that was not valid is an error like any other. */
function evidenceOf(calls: readonly Called[]): Evidence {
  const parts = calls.flatMap(({ outcome }) =>
    outcome.kind === 'refused'
      ? []
      : [{ text: outcome.result.text, value: outcome.result.value as ConcatValue }],
  );
  return {
    isComplete: parts.length === calls.length && parts.every(({ value }) => value.errors.length === 0),
    texts: parts.map(({ text }) => text),
    blocks: parts.flatMap(({ value }) => value.blocks),
    isCut: parts.some(({ value }) => value.leftOut.length > 0),
  };
}

/** What to tell the model; nothing when the results of its calls have told it already. Null when all is well. */
function problemWith({ isComplete, isCut }: Evidence): string | null {
  if (!isComplete) return '';
  return isCut ? 'That is more than fits into one answer. Choose fewer lines and call concat again.' : null;
}

/** Without evidence the overview is the whole answer; else only blocks that were assembled go into it, no error lines. */
function finish(overview: string, evidence: Evidence | null): Answered {
  const texts = (evidence?.texts ?? []).map(withoutErrors).filter((text) => text !== '');
  const parsed = texts.flatMap(parseBlocks);
  const blocks = (evidence?.blocks ?? []).map((block, index) => ({
    ...block,
    text: parsed[index]?.lines.join('\n') ?? '',
  }));
  const document = texts.length === 0 ? overview : `${overview}\n\n---\n\n${joinBlocks(texts)}`;
  return { kind: 'answered', answer: { overview, blocks, document } };
}

/** Errors stand behind the last block; without a block there is nothing else. */
function withoutErrors(text: string): string {
  const end = Math.max(text.lastIndexOf('\n```'), text.lastIndexOf('\n~~~'));
  return end === -1 ? '' : text.slice(0, end + 4);
}

/** A fence that is not closed would swallow the evidence below it. */
function withoutFences(overview: string): string {
  return overview
    .split('\n')
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .join('\n')
    .trim();
}
