import type { Answer, ConcatValue } from '../../contract/index.ts';
import type { ReadOnlyRun } from '../../tools/index.ts';
import { parseBlocks } from '../../vault/index.ts';
import { bindReadTools } from '../bind-tools.ts';
import { startConversation } from '../conversation.ts';
import type { Called, Setting, Turn } from '../conversation.ts';
import { today, toolNamed, vaultContext } from '../opening.ts';
import { readPrompt } from '../read-prompt.ts';

type Parts = Setting & {
  /** Can only read: a run that could write is not accepted. */
  run: ReadOnlyRun;
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
  const tools = ['tree', 'read', 'search', 'concat'].map((name) => toolNamed(name, 'read'));
  const seen = new Map<string, string>();
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
  const isConcat = (calls: readonly Called[]): boolean => calls.some(({ tool }) => tool === 'concat');
  for (;;) {
    const turn: Turn = await conversation.proceed((calls) => {
      for (const call of calls) noteSeen(seen, call);
      return isConcat(calls);
    });
    if (turn.kind === 'stopped') return turn;
    const concat = turn.calls.findLast(({ tool }) => tool === 'concat');
    const assembled = concat === undefined ? null : evidenceOf(concat);
    if (turn.text !== '') overview = turn.text;
    if (assembled !== null) evidence = assembled;
    const problem =
      concat === undefined || corrections >= mostCorrections ? null : problemWith(assembled, seen);
    if (problem !== null) {
      corrections += 1;
      // Once told, what it chooses now it chooses knowingly.
      for (const { path, revision } of assembled?.value.blocks ?? []) seen.set(path, revision);
      if (problem !== '') conversation.say({ text: problem, images: [] });
      continue;
    }
    const lines = overview.split('\n').filter((line) => line.trim() !== '').length;
    if ((lines >= 2 && lines <= 5) || hasAskedForOverview) return finish(overview, evidence);
    hasAskedForOverview = true;
    conversation.say({ text: lines === 0 ? askForOverview : askForLength(lines), images: [] });
  }
}

type Evidence = { text: string; value: ConcatValue };

const askForOverview =
  'The overview is missing. Write it now, 2 to 5 lines, and nothing else; the documents are assembled already.';

function askForLength(lines: number): string {
  return `The overview has ${lines} lines. Write it again in 2 to 5 lines, and nothing else.`;
}

/** Null when the call itself was not valid. */
function evidenceOf({ outcome }: Called): Evidence | null {
  if (outcome.kind === 'refused') return null;
  return { text: outcome.result.text, value: outcome.result.value as ConcatValue };
}

/** What the model has to mend: empty when the result of the call has told it already, null when all is well. */
function problemWith(evidence: Evidence | null, seen: ReadonlyMap<string, string>): string | null {
  if (evidence === null || evidence.value.errors.length > 0) return '';
  const { blocks, leftOut } = evidence.value;
  if (leftOut.length > 0)
    return 'That is more than fits into one answer. Choose fewer lines and call concat again.';
  const changed = blocks.filter(({ path, revision }) => seen.has(path) && seen.get(path) !== revision);
  if (changed.length === 0) return null;
  const paths = [...new Set(changed.map(({ path }) => path))].join(', ');
  return `${paths} was changed after you had looked at it, so its lines may have moved. Read it again and call concat again.`;
}

/** The state in which the model saw each file: line numbers from one state mean nothing in another. */
function noteSeen(seen: Map<string, string>, { tool, outcome }: Called): void {
  if (outcome.kind === 'refused') return;
  const value = outcome.result.value as { files?: SeenFile[]; sections?: SeenFile[] };
  const files = tool === 'read' ? value.files : tool === 'search' ? value.sections : [];
  for (const { path, revision } of files ?? []) seen.set(path, revision);
}

type SeenFile = { path: string; revision: string };

/** Without evidence the overview is the whole answer; else only blocks that were assembled go into it, no error lines. */
function finish(overview: string, evidence: Evidence | null): Answered {
  const parsed = parseBlocks(evidence?.text ?? '');
  const blocks = (evidence?.value.blocks ?? []).map((block, index) => ({
    ...block,
    text: parsed[index]?.lines.join('\n') ?? '',
  }));
  if (evidence === null || blocks.length === 0)
    return { kind: 'answered', answer: { overview, blocks: [], document: overview } };
  const document = `${overview}\n\n---\n\n${withoutErrors(evidence)}`;
  return { kind: 'answered', answer: { overview, blocks, document } };
}

/** Errors stand behind the last block. */
function withoutErrors({ text }: Evidence): string {
  const end = Math.max(text.lastIndexOf('\n```'), text.lastIndexOf('\n~~~'));
  return text.slice(0, end + 4);
}
