import type { ChatModel, ChatRequest, ChatStep } from './chat.ts';

/**
 * A model whose steps come from outside: each request of an agent is held until a client has answered it. There is at most one
 * unanswered request.
 */
export type HeldModel = {
  model: ChatModel;
  /** The unanswered request; resolves as soon as there is one. */
  request(): Promise<ChatRequest>;
  /** Answers the request that `request` has returned. Resolves to the next one; never if the agent makes no other. */
  answer(step: Pick<ChatStep, 'text' | 'calls'>): Promise<ChatRequest>;
};

export function createHeldModel(name: string): HeldModel {
  let asked = Promise.withResolvers<ChatRequest>();
  let answered = Promise.withResolvers<ChatStep>();
  return {
    model: {
      name,
      async step(request) {
        const { signal } = request;
        signal.throwIfAborted();
        answered = Promise.withResolvers();
        const { promise, reject } = answered;
        const abort = (): void => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        asked.resolve(request);
        try {
          return await promise;
        } finally {
          signal.removeEventListener('abort', abort);
        }
      },
    },
    request: () => asked.promise,
    answer(step) {
      asked = Promise.withResolvers();
      answered.resolve({ ...step, rawMessages: null, usage: { input: 0, cached: 0, written: 0, output: 0 } });
      return asked.promise;
    },
  };
}
