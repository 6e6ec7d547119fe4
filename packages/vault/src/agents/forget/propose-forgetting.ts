import { z } from 'zod';
import type { Changes } from '../../changes/index.ts';
import { formatReason } from '../../contract/index.ts';
import type { UpdateInput, UpdateResult } from '../../contract/index.ts';
import { getReadTool } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import type { Language } from '../../vault/index.ts';
import { bindTools } from '../bind-tools.ts';
import type { BoundTool } from '../bind-tools.ts';
import { createConversation } from '../conversation.ts';
import type { AgentOptions } from '../conversation.ts';
import { loadPrompt } from '../load-prompt.ts';
import { changeMetadata } from '../update/update-job.ts';
import type { UpdateOutcome } from '../update/update-job.ts';
import { formatNow, formatVaultContext } from '../vault-context.ts';
import type { ForgetRequest } from './parse-forget-request.ts';

/** Words to be forgotten, alone or with the sentences around them. */
export type ForgetProposal = { words: string[]; wholeSentences: boolean };

/** The places that a proposal changes, except in the queue, where the request itself is. */
export type FindWords = (proposal: ForgetProposal) => Promise<{ count: number; files: string[] }>;

type ProposeOptions = AgentOptions & {
  /** Its transaction is not used: nothing is written. */
  run: WriteRun;
  findWords: FindWords;
  changes: { writer: Pick<Changes['writer'], 'holdForApproval'> };
  language: Language;
  signal: AbortSignal;
};

/**
 * Looks for what the user asks to forget, and holds the result for the user's approval. The request itself is never filed.
 */
export async function proposeForgetting(
  update: { id: string; input: UpdateInput },
  request: ForgetRequest,
  parts: ProposeOptions,
): Promise<UpdateOutcome> {
  if (!request.isAlone) return { kind: 'stopped', reason: formatReason('forgets-and-more', {}) };
  const proposed: ForgetProposal = { words: [], wholeSentences: false };
  if (await isFound(request.subject, parts)) proposed.words.push(request.subject);
  const outcome = await askModel(update, parts, proposed);
  if (outcome !== null) return outcome;
  return { kind: 'finished', result: await holdProposal(update, proposed, parts) };
}

async function isFound(words: string, { findWords }: Pick<ProposeOptions, 'findWords'>): Promise<boolean> {
  return (await findWords({ words: [words], wholeSentences: false })).count > 0;
}

/** Adds the words that the model found. Returns an outcome only if a limit was reached before anything was found. */
async function askModel(
  { id, input }: { id: string; input: UpdateInput },
  parts: ProposeOptions,
  proposed: ForgetProposal,
): Promise<UpdateOutcome | null> {
  const { run } = parts;
  let isDone = false;
  const propose = createProposeTool(parts, ({ words, wholeSentences }) => {
    isDone = true;
    proposed.words = [...new Set([...proposed.words, ...words])];
    proposed.wholeSentences = wholeSentences;
  });
  const conversation = createConversation({
    ...parts,
    run: id,
    instructions: loadPrompt('forget', run.view.layout()),
    tools: [...bindTools(['tree', 'read', 'search'].map(getReadTool), run), propose],
  });
  try {
    for (const block of await formatVaultContext(run)) conversation.addUserMessage(block);
    conversation.addUserMessage({
      text: `Today is ${formatNow(parts.clock())}. The person says:\n\n${input.text}`,
      images: [],
    });
    const turn = await conversation.runUntilDone(() => isDone);
    return turn.kind === 'stopped' && proposed.words.length === 0 ? turn : null;
  } finally {
    conversation.close();
  }
}

const minPhraseCharacters = 3;
const maxPhrases = 50;

const proposeInput = z.object({
  phrases: z
    .union([z.string().transform((phrase) => [phrase]), z.array(z.string())])
    .describe('the exact words of the files that have to go, each within one line; empty if there are none'),
  whole_sentences: z
    .boolean()
    .nullish()
    .describe('true to remove everything else in the sentences with these words, too'),
});

function createProposeTool(
  parts: Pick<ProposeOptions, 'findWords'>,
  take: (proposal: ForgetProposal) => void,
): BoundTool {
  return {
    name: 'propose',
    description: 'Proposes the words to be forgotten. The person decides.',
    input: proposeInput,
    async call(given) {
      const parsed = proposeInput.safeParse(given);
      if (!parsed.success) return { kind: 'refused', message: 'error: pass a list of phrases' };
      const phrases = parsed.data.phrases.map((phrase) => phrase.trim()).slice(0, maxPhrases);
      const unknown: string[] = [];
      for (const phrase of phrases)
        if (phrase.length < minPhraseCharacters || phrase.includes('\n') || !(await isFound(phrase, parts)))
          unknown.push(phrase);
      if (unknown.length > 0)
        return {
          kind: 'refused',
          message: `error: not in the vault in these words, within one line: ${JSON.stringify(unknown)}; copy the exact words of the files`,
        };
      take({ words: phrases, wholeSentences: parsed.data.whole_sentences === true });
      return { kind: 'result', result: { text: 'noted', images: [], value: { errors: [] } } };
    },
  };
}

const summaries: Record<Language, { held: string; nothing: string }> = {
  en: { held: 'Forget for good, if you confirm', nothing: 'Nothing to forget was found' },
  fr: { held: 'Oublier définitivement, si vous confirmez', nothing: 'Rien à oublier n’a été trouvé' },
};

/** The summary does not contain the words, because it also appears in events and lists. */
async function holdProposal(
  update: { id: string; input: UpdateInput },
  proposal: ForgetProposal,
  { findWords, changes, language }: ProposeOptions,
): Promise<UpdateResult> {
  const { held: summary, nothing } = summaries[language];
  if (proposal.words.length === 0) return { kind: 'unchanged', summary: nothing, known: [] };
  const { files, count } = await findWords(proposal);
  const paths = files.toSorted();
  const code = proposal.wholeSentences ? 'forgets-sentences' : 'forgets-words';
  const reason = formatReason(code, { words: proposal.words.join('\n'), count });
  const metadata = changeMetadata({ ...update, isUserAuthored: false }, summary);
  await changes.writer.holdForApproval([], metadata, reason);
  return { kind: 'held', summary, paths, reason, receipt: null };
}
