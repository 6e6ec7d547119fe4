import type { FilePart, ModelMessage, TextPart, ToolResultPart } from 'ai';
import type { ChatContent, ChatImage, ChatMessage, ChatToolResult } from './chat.ts';

/** What was said so far, in the words of the AI SDK. Images go into results only where the protocol can carry them. */
export function aiSdkMessages(
  messages: readonly ChatMessage[],
  imagesInToolResults: boolean,
): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    switch (message.role) {
      case 'user':
        return [userMessage(message.contents)];
      case 'assistant':
        return message.said as ModelMessage[];
      case 'tool':
        return imagesInToolResults ? [resultMessage(message.results)] : withImagesApart(message.results);
    }
  });
}

function userMessage(contents: readonly ChatContent[]): ModelMessage {
  return { role: 'user', content: contents.flatMap(userParts) };
}

function userParts({ text, images }: ChatContent): (TextPart | FilePart)[] {
  return [
    { type: 'text', text },
    ...images.map(({ mediaType, data }) => ({ type: 'file' as const, mediaType, data })),
  ];
}

function resultMessage(results: readonly ChatToolResult[]): ModelMessage {
  return { role: 'tool', content: results.map(resultPart) };
}

function resultPart(result: ChatToolResult): ToolResultPart {
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

/** The results, and after them a message with the images that the protocol cannot carry there. */
function withImagesApart(results: readonly ChatToolResult[]): ModelMessage[] {
  const images: ChatImage[] = results.flatMap((result) => (result.kind === 'result' ? result.images : []));
  const message = resultMessage(
    results.map((result) => (result.kind === 'result' ? { ...result, images: [] } : result)),
  );
  if (images.length === 0) return [message];
  const announced = `The images announced above, in this order: ${images.map(({ path }) => path).join(', ')}`;
  return [message, userMessage([{ text: announced, images }])];
}
