import type { Answer } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import { readToolNamed } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import type { Language } from '../../vault/index.ts';
import { bindReadTools } from '../bind-tools.ts';
import { startConversation } from '../conversation.ts';
import type { Called, AgentSettings, Turn } from '../conversation.ts';
import { today, vaultContext } from '../opening.ts';
import { readPrompt } from '../read-prompt.ts';
import { citesLines, composeAnswer, evidenceOf } from './answer.ts';
import type { Evidence } from './answer.ts';
import { formerText } from './former.ts';
import type { Former } from './former.ts';

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

  let overview = '';
  let evidence: Evidence | null = null;
  let corrections = 0;
  let lastChosen = '';
  let returned: { overview: string; evidence: Evidence } | null = null;
  let hasLooked = false;
  let hasBeenToldToLook = false;
  let hasAskedForOverview = false;
  for (;;) {
    const turn: Turn = await conversation.proceed((calls) => {
      hasLooked ||= calls.some(isLook);
      return calls.some(({ tool }) => tool === 'concat');
    });
    if (turn.kind === 'stopped') return turn;
    if (turn.text !== '') overview = withoutFences(turn.text);
    const concats = turn.calls.filter(({ tool }) => tool === 'concat');
    if (concats.length > 0) {
      const assembled = evidenceOf(concats);
      // Who asks for the same again is not helped by hearing it again.
      const chosen = JSON.stringify(concats.map(({ input }) => input));
      const insists = chosen === lastChosen && citesLines(assembled);
      lastChosen = chosen;
      const problem = insists || corrections === mostCorrections ? null : problemWith(assembled);
      if (problem !== null) {
        corrections += 1;
        returned = { overview, evidence: assembled };
        if (problem !== '') conversation.say({ text: problem, images: [] });
        continue;
      }
      evidence = assembled;
    }
    // Who only repeats what it said stays with the lines that it had chosen for it.
    else if (evidence === null && overview === returned?.overview) ({ evidence } = returned);
    const isCited = citesLines(evidence);
    if (!isCited && !hasLooked) {
      if (hasBeenToldToLook) throw badAnswer(`${parts.model.name} answered without looking into the vault`);
      hasBeenToldToLook = true;
      overview = '';
      conversation.say({ text: askToLook, images: [] });
      continue;
    }
    const lines = overview.split('\n').filter((line) => line.trim() !== '').length;
    if ((lines >= 2 && lines <= 5) || hasAskedForOverview) break;
    hasAskedForOverview = true;
    const missing = isCited ? askForOverview : askForAnswer;
    conversation.say({ text: lines === 0 ? missing : askForLength(lines), images: [] });
  }
  if (overview === '' && evidence === null) throw badAnswer(`${parts.model.name} answered nothing`);
  return { kind: 'answered', answer: composeAnswer(overview, evidence, parts.language) };
}

function badAnswer(message: string): ModelError {
  return new ModelError('bad-answer', message, { mend: 'try again, or choose another model' });
}

const askToLook =
  'You have not looked into the vault. Call search, or read the files that must hold the answer. Then end with concat; only if nothing answers, say so in 2 to 5 lines.';

const askForOverview =
  'The overview is missing. Write it now, 2 to 5 lines, and nothing else; the documents are assembled already.';

const askForAnswer =
  'There is no answer yet. Call concat with the lines that answer and write the overview, 2 to 5 lines; or, if nothing answers, write 2 to 5 lines that say so.';

function askForLength(lines: number): string {
  return `The overview has ${lines} lines. Write it again in 2 to 5 lines, and nothing else.`;
}

/** Whether a call has shown what files say; a list of their names does not. */
function isLook({ tool, outcome }: Called): boolean {
  if (outcome.kind === 'refused') return false;
  const { files = [], images = [] } = outcome.result.value as { files?: unknown[]; images?: unknown[] };
  return tool === 'search' || (tool === 'read' && files.length + images.length > 0);
}

/** What to tell the model; nothing when the results of its calls have told it already. Null when all is well. */
function problemWith({ errors, leftOut }: Evidence): string | null {
  if (errors.length > 0) return '';
  return leftOut.length > 0
    ? 'That is more than fits into one answer. Choose fewer lines and call concat again.'
    : null;
}

/** A fence that is not closed would swallow the evidence below it. */
function withoutFences(overview: string): string {
  return overview
    .split('\n')
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .join('\n')
    .trim();
}
