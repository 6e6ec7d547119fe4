import { basename } from 'node:path';
import { ModelError, reasonOf } from './error.ts';
import { beginningOf, contextSizeOf, createLocalModel } from './local-model.ts';
import type { LocalModelOptions } from './local-model.ts';
import { inspectModelFile } from './model-file.ts';
import { mostExpansions, parseExpansions } from './parse-expansions.ts';
import type { Expander } from './ports.ts';

/** Other ways to ask, from a GGUF file on this machine: prompt, grammar and sampling are those of QMD's model for it. */
export function createLocalExpander(options: LocalModelOptions): Expander {
  const name = basename(options.modelFile);
  if (inspectModelFile(options.modelFile).pooling !== null)
    throw new ModelError('bad-model', `${name} computes vectors or scores and writes nothing`, {
      mend: 'choose an expander: keepsake models list',
    });
  const local = createLocalModel(options, 'a model that writes', async (llama, model) => {
    const contextSize = contextSizeOf(model.trainContextSize);
    const grammar = await llama.createGrammar({ grammar: typedLines });
    const context = await model.createContext({ contextSize, threads: options.runtime.threads });
    return { context, grammar, sequence: context.getSequence(), mostTokens: Math.floor(contextSize / 4) };
  });
  return {
    expand: (query, signal) =>
      local.use(signal, async ({ llama, model, sequence, grammar, mostTokens }) => {
        const asked = model.detokenize(beginningOf(model, query, mostTokens));
        await sequence.clearHistory();
        const session = llama.createChatSession(sequence);
        let answer: string;
        try {
          const bounds = { ...sampling, maxTokens: Math.min(longestAnswer, mostTokens * 2), grammar, signal };
          answer = await session.prompt(`/no_think Expand this search query: ${asked}`, bounds);
        } catch (cause) {
          signal.throwIfAborted();
          throw new ModelError('bad-answer', `${name} failed to expand a query (${reasonOf(cause)})`, {
            mend: 'is it a model for query expansion?',
            cause,
          });
        } finally {
          session.dispose();
        }
        const expansions = parseExpansions(answer);
        if (expansions.length > 0) return expansions;
        throw new ModelError('bad-answer', `${name} did not expand the query`, {
          mend: 'is it a model for query expansion?',
        });
      }),
    close: () => local.close(),
  };
}

/**
 * As QMD has it, but no line is empty or broken by a control character, so that each can be read; and there are no more
 * lines than are used, as each takes its time.
 */
const typedLines = `
root ::= line{1,${mostExpansions}}
line ::= type ": " content "\\n"
type ::= "lex" | "vec" | "hyde"
content ::= [^\\x00-\\x20\\u2028\\u2029] [^\\x00-\\x1f\\u2028\\u2029]*
`;

/** In tokens. */
const longestAnswer = 600;

// What Qwen recommends for answers without thoughts, as QMD has it. The seed makes a query give the same each time.
const sampling = {
  temperature: 0.7,
  topK: 20,
  topP: 0.8,
  repeatPenalty: { lastTokens: 64, presencePenalty: 0.5 },
  seed: 1,
};
