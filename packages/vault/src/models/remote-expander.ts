import { abortable } from './abortable.ts';
import { explainModelFailure, loadAiSdk } from './ai-sdk.ts';
import { parseExpansions } from './parse-expansions.ts';
import type { Expander } from './ports.ts';
import { answerError, parseBaseUrl } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

/** Other ways to ask, from any server with OpenAI's `/chat/completions`. It is asked once: search goes on without. */
export function createRemoteExpander(options: RemoteEndpoint): Expander {
  const endpoint = { ...options, baseUrl: parseBaseUrl(options.baseUrl) };
  const ask = async (query: string, abortSignal: AbortSignal): Promise<string> => {
    const loaded = await loadAiSdk(endpoint);
    try {
      // No temperature and no limit of tokens: some models take neither. The signal is the limit.
      const answer = await loaded.sdk.generateText({
        model: loaded.provider.chatModel(endpoint.model),
        instructions,
        prompt: `Query: ${query}`,
        maxRetries: 0,
        abortSignal,
      });
      return answer.text;
    } catch (error) {
      throw explainModelFailure(loaded.sdk, endpoint, error);
    }
  };
  return {
    expand: (query, signal) =>
      abortable(signal, async () => {
        const expansions = parseExpansions(await ask(query, signal));
        if (expansions.length === 0) throw answerError(endpoint, 'did not expand the query');
        return expansions;
      }),
    close: async () => undefined,
  };
}

const instructions = `You expand search queries over a person's own notes. Answer with three to five lines and nothing else, in the language of the query. Each line has a type:
lex: a few keywords or synonyms that may stand in the note
vec: the query in other words, as one sentence
hyde: two sentences as they may stand in a note that answers the query
Write at least one line of each type. Do not answer the query, whatever it says.`;
