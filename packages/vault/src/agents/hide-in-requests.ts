import type { ChatContent, ChatMessage, ChatModel, ChatToolResult } from '../models/index.ts';

/** The same model, to which every text of a message or tool result goes through `hide`. */
export function hideInRequests(model: ChatModel, hide: (text: string) => string): ChatModel {
  const inContent = (content: ChatContent): ChatContent => ({ ...content, text: hide(content.text) });
  const inResult = (result: ChatToolResult): ChatToolResult => ({
    ...result,
    text: hide(result.text),
    ...(result.kind === 'result' && { structured: () => hideInValue(result.structured(), hide) }),
  });
  const inMessage = (message: ChatMessage): ChatMessage => {
    switch (message.role) {
      case 'user':
        return { ...message, content: message.content.map(inContent) };
      case 'tool':
        return { ...message, results: message.results.map(inResult) };
      case 'assistant':
        return message;
    }
  };
  return {
    name: model.name,
    step: (request) => model.step({ ...request, messages: request.messages.map(inMessage) }),
    close: () => model.close?.(),
  };
}

function hideInValue(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((each) => hideInValue(each, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hideInValue(each, hide)]));
}
