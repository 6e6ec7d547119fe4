import { acceptedContent, inputRequired } from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  InputRequest,
  InputRequiredResult,
  McpServer,
  RequestStateCodec,
  ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

type States = RequestStateCodec<{ round: number }>;
type Answer = CallToolResult | InputRequiredResult;

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

const elicit = (message: string, field: string): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
const confirm = (): InputRequest =>
  inputRequired.elicit({
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  });
const sample = (text: string): InputRequest =>
  // oxlint-disable-next-line typescript/no-deprecated -- the suite still asks for it
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });
// oxlint-disable-next-line typescript/no-deprecated -- the suite still asks for it
const roots = (): InputRequest => inputRequired.listRoots();

/** Registers tools that request input from the client and continue with its response. */
export function registerInputs(server: McpServer, states: States): void {
  const tool = (name: string, answer: (context: ServerContext) => Answer | Promise<Answer>): void =>
    void server.registerTool(
      `test_${name}`,
      { description: `For the scenario that calls ${name}`, inputSchema: z.object({}) },
      (_, context) => answer(context),
    );
  const has = ({ mcpReq }: ServerContext, ...keys: string[]): boolean =>
    keys.every((key) => mcpReq.inputResponses?.[key] !== undefined);

  tool('input_required_result_elicitation', ({ mcpReq }) => {
    const content = acceptedContent(mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    if (content !== undefined) return textResult(`Hello, ${content.name}!`);
    return inputRequired({ inputRequests: { user_name: elicit('What is your name?', 'name') } });
  });
  tool('input_required_result_sampling', (context) =>
    has(context, 'capital_question')
      ? textResult(JSON.stringify(context.mcpReq.inputResponses))
      : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } }),
  );
  tool('input_required_result_list_roots', (context) =>
    has(context, 'client_roots')
      ? textResult(JSON.stringify(context.mcpReq.inputResponses))
      : inputRequired({ inputRequests: { client_roots: roots() } }),
  );
  for (const name of ['request_state', 'tampered_state'])
    tool(`input_required_result_${name}`, async (context) =>
      context.mcpReq.requestState() !== undefined && has(context, 'confirm')
        ? textResult('state-ok')
        : inputRequired({
            inputRequests: { confirm: confirm() },
            requestState: await states.mint({ round: 1 }, context),
          }),
    );
  tool('input_required_result_multiple_inputs', async (context) =>
    has(context, 'user_name', 'greeting', 'client_roots')
      ? textResult('all there')
      : inputRequired({
          inputRequests: {
            user_name: elicit('What is your name?', 'name'),
            greeting: sample('Generate a greeting'),
            client_roots: roots(),
          },
          requestState: await states.mint({ round: 1 }, context),
        }),
  );
  tool('input_required_result_multi_round', async (context) => {
    const round = context.mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 2 && has(context, 'step2')) return textResult('all there');
    const isSecond = round === 1 && has(context, 'step1');
    return inputRequired({
      inputRequests: isSecond
        ? { step2: elicit('Step 2: What is your favorite color?', 'color') }
        : { step1: elicit('Step 1: What is your name?', 'name') },
      requestState: await states.mint({ round: isSecond ? 2 : 1 }, context),
    });
  });
  tool('input_required_result_capabilities', () => {
    const able = server.server.getClientCapabilities();
    return inputRequired({
      inputRequests: {
        ...(able?.sampling && { greeting: sample('Generate a greeting') }),
        ...(able?.elicitation && { user_name: elicit('What is your name?', 'name') }),
      },
    });
  });
  tool('missing_capability', () =>
    inputRequired({ inputRequests: { greeting: sample('Generate a greeting') } }),
  );
  tool('streaming_elicitation', () =>
    inputRequired({ inputRequests: { user_name: elicit('What is your name?', 'name') } }),
  );
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, ({ mcpReq }) => {
    const content = acceptedContent(mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
    if (content === undefined)
      return inputRequired({
        inputRequests: { user_context: elicit('What context should the prompt use?', 'context') },
      });
    return { messages: [{ role: 'user', content: { type: 'text', text: content.context } }] };
  });
}
