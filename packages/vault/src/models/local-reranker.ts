import { basename } from 'node:path';
import { withAbort } from './abortable.ts';
import { ModelError, errorCodeOrMessage } from './error.ts';
import type { LlamaModel, LlamaRankingContext } from './llama.ts';
import { truncateToTokens, limitContextSize, createLocalModel } from './local-model.ts';
import type { LocalModelOptions } from './local-model.ts';
import { readModelFile } from './model-file.ts';
import type { Reranker } from './search-models.ts';

/**
 * A reranker that runs a GGUF file on this machine. A score is the probability that the model answers yes when asked
 * whether a text answers the query. Of a text that is too long only the start counts: its heading path and first
 * lines.
 */
export function createLocalReranker(options: LocalModelOptions): Reranker {
  const name = basename(options.modelFile);
  const { architecture } = readModelFile(options.modelFile);
  const local = createLocalModel(options, 'a reranker converted for llama.cpp', async (_, model) => {
    const contextSize = limitContextSize(model.trainContextSize);
    const context = await model.createRankingContext({
      contextSize,
      // A bidirectional model needs the whole text in one batch; for other models this would use a gigabyte more.
      ...(architecture?.includes('bert') && { batchSize: contextSize }),
      threads: options.runtime.threads,
    });
    return { context, maxTextTokens: contextSize - templateTokens(model) };
  });

  const scoreOne = async (context: LlamaRankingContext, query: number[], text: number[]): Promise<number> => {
    let score: number;
    try {
      score = await context.rank(query, text);
    } catch (cause) {
      throw new ModelError('bad-answer', `${name} failed to score a text (${errorCodeOrMessage(cause)})`, {
        hint: 'check that it is a reranker converted for llama.cpp',
        cause,
      });
    }
    if (score >= 0 && score <= 1) return score;
    throw new ModelError('bad-answer', `${name} returned the invalid score ${score}`, {
      hint: 'check that it is a reranker converted for llama.cpp',
    });
  };

  return {
    score: (query, texts, signal) =>
      texts.length === 0
        ? withAbort(signal, async () => [])
        : local.use(signal, async ({ model, context, maxTextTokens }) => {
            const queryTokens = truncateToTokens(model, query, Math.floor(maxTextTokens / 4));
            const scores: number[] = [];
            for (const text of texts) {
              signal.throwIfAborted();
              scores.push(
                await scoreOne(
                  context,
                  queryTokens,
                  truncateToTokens(model, text, maxTextTokens - queryTokens.length),
                ),
              );
            }
            return scores;
          }),
    close: () => local.close(),
  };
}

/** Tokens around the query and the text: the model's template and the special tokens of the runtime. */
function templateTokens(model: LlamaModel): number {
  const template = model.fileInfo.metadata.tokenizer?.['chat_template.rerank'] ?? '';
  return model.tokenize(template, true, 'trimLeadingSpace').length + marks;
}

const marks = 4;
