import { basename } from 'node:path';
import { ModelError, errorCodeOrMessage } from './error.ts';
import { truncateToTokens, limitContextSize, createLocalModel } from './local-model.ts';
import type { LocalModelOptions } from './local-model.ts';
import { readModelFile } from './model-file.ts';
import { maxExpansions, parseExpansions } from './parse-expansions.ts';
import type { Expander } from './search-models.ts';

/**
 * An expander that runs a GGUF file on this machine, with the prompt, grammar and sampling that QMD (see
 * docs/search.md) uses for its expansion model.
 */
export function createLocalExpander(options: LocalModelOptions): Expander {
  const name = basename(options.modelFile);
  if (readModelFile(options.modelFile).pooling !== null)
    throw new ModelError('bad-model', `${name} computes vectors or scores and does not generate text`, {
      hint: 'choose an expander; keepsake models list shows them',
    });
  const local = createLocalModel(options, 'a generative model', async (llama, model) => {
    const contextSize = limitContextSize(model.trainContextSize);
    const grammar = await llama.createGrammar({ grammar: expansionGrammar });
    const context = await model.createContext({ contextSize, threads: options.runtime.threads });
    return { context, grammar, sequence: context.getSequence(), maxQueryTokens: Math.floor(contextSize / 4) };
  });
  return {
    expand: (query, signal) =>
      local.use(signal, async ({ llama, model, sequence, grammar, maxQueryTokens }) => {
        const shortQuery = model.detokenize(truncateToTokens(model, query, maxQueryTokens));
        await sequence.clearHistory();
        const session = llama.createChatSession(sequence);
        let answer: string;
        try {
          const bounds = {
            ...samplingOptions,
            maxTokens: Math.min(maxAnswerTokens, maxQueryTokens * 2),
            grammar,
            signal,
          };
          answer = await session.prompt(`/no_think Expand this search query: ${shortQuery}`, bounds);
        } catch (cause) {
          signal.throwIfAborted();
          throw new ModelError(
            'bad-answer',
            `${name} failed to expand a query (${errorCodeOrMessage(cause)})`,
            {
              hint: 'check that it is a query expansion model',
              cause,
            },
          );
        } finally {
          session.dispose();
        }
        const expansions = parseExpansions(answer);
        if (expansions.length > 0) return expansions;
        throw new ModelError('bad-answer', `${name} did not expand the query`, {
          hint: 'check that it is a query expansion model',
        });
      }),
    close: () => local.close(),
  };
}

/**
 * QMD's grammar, but without empty lines and control characters, so that every line can be parsed, and limited to the
 * number of lines that are used, because each takes time.
 */
const expansionGrammar = `
root ::= line{1,${maxExpansions}}
line ::= type ": " content "\\n"
type ::= "lex" | "vec" | "hyde"
content ::= [^\\x00-\\x20\\u2028\\u2029] [^\\x00-\\x1f\\u2028\\u2029]*
`;

/** In tokens. */
const maxAnswerTokens = 600;

// Qwen's recommendation for answers without thinking, as in QMD. The fixed seed makes results reproducible.
const samplingOptions = {
  temperature: 0.7,
  topK: 20,
  topP: 0.8,
  repeatPenalty: { lastTokens: 64, presencePenalty: 0.5 },
  seed: 1,
};
