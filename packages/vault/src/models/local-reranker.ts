import { basename } from 'node:path';
import { abortable } from './abortable.ts';
import { ModelError, reasonOf } from './error.ts';
import type { LlamaModel, LlamaRankingContext } from './llama.ts';
import { beginningOf, contextSizeOf, createLocalModel } from './local-model.ts';
import type { LocalModelOptions } from './local-model.ts';
import { inspectModelFile } from './model-file.ts';
import type { Reranker } from './ports.ts';

/**
 * Scores from a GGUF file on this machine: how probable it is that the model says yes, and not no, when it is asked whether
 * a text answers the query. Of a text that is too long the beginning counts, which is its trail and its first lines.
 */
export function createLocalReranker(options: LocalModelOptions): Reranker {
  const name = basename(options.modelFile);
  const { architecture } = inspectModelFile(options.modelFile);
  const local = createLocalModel(options, 'a reranker converted for llama.cpp', async (_, model) => {
    const contextSize = contextSizeOf(model.trainContextSize);
    const context = await model.createRankingContext({
      contextSize,
      // A model that reads a text from both ends needs all of it at once; for others that would be a gigabyte more.
      ...(architecture?.includes('bert') && { batchSize: contextSize }),
      threads: options.runtime.threads,
    });
    return { context, room: contextSize - templateTokens(model) };
  });

  const scoreOne = async (context: LlamaRankingContext, query: number[], text: number[]): Promise<number> => {
    let score: number;
    try {
      score = await context.rank(query, text);
    } catch (cause) {
      throw new ModelError('bad-answer', `${name} failed to score a text (${reasonOf(cause)})`, {
        mend: 'is it a reranker converted for llama.cpp?',
        cause,
      });
    }
    if (score >= 0 && score <= 1) return score;
    throw new ModelError('bad-answer', `${name} gave ${score} for a score`, {
      mend: 'is it a reranker converted for llama.cpp?',
    });
  };

  return {
    score: (query, texts, signal) =>
      texts.length === 0
        ? abortable(signal, async () => [])
        : local.use(signal, async ({ model, context, room }) => {
            const asked = beginningOf(model, query, Math.floor(room / 4));
            const scores: number[] = [];
            for (const text of texts) {
              signal.throwIfAborted();
              scores.push(await scoreOne(context, asked, beginningOf(model, text, room - asked.length)));
            }
            return scores;
          }),
    close: () => local.close(),
  };
}

/** What stands around query and text: the model's own template, and what the runtime puts before, between and behind. */
function templateTokens(model: LlamaModel): number {
  const template = model.fileInfo.metadata.tokenizer?.['chat_template.rerank'] ?? '';
  return model.tokenize(template, true, 'trimLeadingSpace').length + marks;
}

const marks = 4;
