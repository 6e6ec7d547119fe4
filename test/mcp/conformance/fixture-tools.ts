import { setTimeout as sleep } from 'node:timers/promises';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { CallToolResult, McpServer, ServerContext, ServerNotifier } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { embedded, image, pixel } from './fixture-contents.ts';

const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Registers tools with every kind of content, and with side effects such as logging and progress. */
export function registerTools(server: McpServer, notify: ServerNotifier): void {
  const tool = (
    name: string,
    answer: (context: ServerContext) => CallToolResult | Promise<CallToolResult>,
  ): void => void server.registerTool(name, { description: `For the scenario that calls ${name}` }, answer);

  tool('test_simple_text', () => textResult('This is a simple text response for testing.'));
  tool('test_image_content', () => ({ content: [image] }));
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] }));
  tool('test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  tool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tool('test_tool_with_progress', reportProgress);
  tool('test_tool_with_logging', (context) => log(context, ['started', 'processing', 'completed']));
  tool('test_logging_tool', (context) => log(context, ['once']));
  tool('test_trigger_tool_change', () => {
    notify.toolsChanged();
    return textResult('told');
  });
  tool('test_trigger_prompt_change', () => {
    notify.promptsChanged();
    return textResult('told');
  });
  server.registerTool(
    'test_headers',
    {
      description: 'A parameter that is mirrored in a header',
      inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    },
    ({ region }) => textResult(region),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema(wideSchema) },
    () => textResult('done'),
  );
}

async function reportProgress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    await sleep(50);
  }
  return textResult('done');
}

async function log({ mcpReq }: ServerContext, steps: string[]): Promise<CallToolResult> {
  for (const step of steps) {
    // oxlint-disable-next-line typescript/no-deprecated -- the suite still asks for it
    await mcpReq.log('info', step);
    await sleep(50);
  }
  return textResult('done');
}

const wideSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
