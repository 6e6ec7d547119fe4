import type * as Sdk from 'ai';
import type { SdkLanguageModel } from './ai-sdk-chat.ts';

/**
 * Returns a valid access token, and renews it if necessary. `rejected` is a token that the server has just refused.
 * Throws a `ModelError` if there is none.
 */
export type AccessTokenSource = (rejected?: string) => Promise<string>;

/** Sends requests with a current access token, and once more with another one if it was refused. */
export function withAccessToken(
  send: typeof fetch,
  getToken: AccessTokenSource,
  onToken: (token: string) => void,
): typeof fetch {
  return async (input, init) => {
    const sendWith = async (token: string): Promise<Response> => {
      onToken(token);
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return send(input, { ...init, headers });
    };
    const token = await getToken();
    const response = await sendWith(token);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    return sendWith(await getToken(token));
  };
}

const namespace = { name: 'keepsake', description: 'Tools that work on the vault.' };

/**
 * Makes requests as the Responses API accepts them with the token of a ChatGPT plan: nothing is stored, instructions are
 * not a system message, and functions are in a namespace.
 */
export async function adaptToChatGptPlan(model: SdkLanguageModel): Promise<SdkLanguageModel> {
  const { wrapLanguageModel } = await import('ai');
  const transformParams: Sdk.LanguageModelMiddleware['transformParams'] = async ({ params }) => {
    const { tools, providerOptions } = params;
    return {
      ...params,
      ...(tools !== undefined && {
        tools: tools.map((tool) =>
          tool.type === 'function' ? { ...tool, providerOptions: { openai: { namespace } } } : tool,
        ),
      }),
      providerOptions: {
        ...providerOptions,
        openai: { ...providerOptions?.['openai'], store: false, systemMessageMode: 'developer' },
      },
    };
  };
  return wrapLanguageModel({ model, middleware: { specificationVersion: 'v4', transformParams } });
}
