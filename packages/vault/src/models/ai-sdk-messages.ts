import type { FilePart, ModelMessage, TextPart, ToolResultPart } from 'ai';
import type { ChatContent, ChatImage, ChatMessage, ChatToolResult } from './chat.ts';

/**
 * Converts the conversation to messages of the AI SDK. Images stay in tool results only if the protocol supports it.
 */
export function toAiSdkMessages(
  messages: readonly ChatMessage[],
  imagesInToolResults: boolean,
): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    switch (message.role) {
      case 'user':
        return [userMessage(message.content)];
      case 'assistant':
        return message.rawMessages as ModelMessage[];
      case 'tool':
        return imagesInToolResults ? [resultMessage(message.results)] : splitOffImages(message.results);
    }
  });
}

function userMessage(contents: readonly ChatContent[]): ModelMessage {
  return { role: 'user', content: contents.flatMap(toUserParts) };
}

function toUserParts({ text, images }: ChatContent): (TextPart | FilePart)[] {
  return [
    { type: 'text', text },
    ...images.map(({ mediaType, data }) => ({ type: 'file' as const, mediaType, data })),
  ];
}

function resultMessage(results: readonly ChatToolResult[]): ModelMessage {
  return { role: 'tool', content: results.map(toToolResultPart) };
}

function toToolResultPart(result: ChatToolResult): ToolResultPart {
  const part = { type: 'tool-result' as const, toolCallId: result.id, toolName: result.tool };
  if (result.kind === 'refused') return { ...part, output: { type: 'error-text', value: result.text } };
  const { text, images } = result;
  if (images.length === 0) return { ...part, output: { type: 'text', value: text } };
  const files = images.map(({ mediaType, data }) => ({
    type: 'file' as const,
    mediaType,
    data: { type: 'data' as const, data },
  }));
  return { ...part, output: { type: 'content', value: [{ type: 'text', text }, ...files] } };
}

/** Tool results without images, followed by a user message with the images. */
function splitOffImages(results: readonly ChatToolResult[]): ModelMessage[] {
  const images: ChatImage[] = results.flatMap((result) => (result.kind === 'result' ? result.images : []));
  const message = resultMessage(
    results.map((result) => (result.kind === 'result' ? { ...result, images: [] } : result)),
  );
  if (images.length === 0) return [message];
  const announced = `Images referenced above, in this order: ${images.map(({ path }) => path).join(', ')}`;
  return [message, userMessage([{ text: announced, images }])];
}
