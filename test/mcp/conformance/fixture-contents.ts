import { completable, ResourceTemplate } from '@modelcontextprotocol/server';
import type { EmbeddedResource, GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A red pixel as PNG. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };

export function embedded(uri: string, mimeType: string, text: string): EmbeddedResource {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

type Content = GetPromptResult['messages'][number]['content'];

const asking = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});
const words = (text: string): Content => ({ type: 'text', text });

/** Registers resources and prompts of every kind. */
export function registerContents(server: McpServer): void {
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: pixel }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  server.registerPrompt('test_simple_prompt', { description: 'Words' }, () =>
    asking(words('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Words with arguments',
      argsSchema: z.object({ arg1: completable(z.string(), () => ['paris', 'park']), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => asking(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      asking(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        words('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, () =>
    asking(image, words('Please analyze the image above.')),
  );
}
