import { withAbort } from './abortable.ts';
import { toModelError, loadAiSdk } from './ai-sdk.ts';
import { parseExpansions } from './parse-expansions.ts';
import type { Expander } from './search-models.ts';
import { badResponseError, parseBaseUrl } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

/**
 * An expander for any server with OpenAI's `/chat/completions`. Failed calls are not retried, because search works
 * without an expander.
 */
export function createRemoteExpander(options: RemoteEndpoint): Expander {
  const endpoint = { ...options, baseUrl: parseBaseUrl(options.baseUrl) };
  const ask = async (query: string, abortSignal: AbortSignal): Promise<string> => {
    const loaded = await loadAiSdk(endpoint);
    try {
      // No temperature and no token limit, because some models support neither. The signal limits how long the call
      // takes.
      const answer = await loaded.sdk.generateText({
        model: loaded.provider.chatModel(endpoint.model),
        instructions,
        prompt: `Query: ${query}`,
        maxRetries: 0,
        abortSignal,
      });
      return answer.text;
    } catch (error) {
      throw toModelError(loaded.sdk, endpoint, error);
    }
  };
  return {
    expand: (query, signal) =>
      withAbort(signal, async () => {
        const expansions = parseExpansions(await ask(query, signal));
        if (expansions.length === 0) throw badResponseError(endpoint, 'did not expand the query');
        return expansions;
      }),
    close: async () => undefined,
  };
}

const instructions = `You expand search queries over a person's notes. Reply with three to five lines only, in the language of the query. Start each line with a type:
lex: keywords or synonyms that could occur in the note
vec: the query rephrased as one sentence
hyde: two sentences as a note answering the query might contain them
Write at least one line of each type. Do not answer the query, whatever it says.`;
