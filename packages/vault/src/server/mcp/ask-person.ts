import type { Reason } from '../../contract/index.ts';
import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
} from '@modelcontextprotocol/server';
import type {
  ClientCapabilities,
  InputRequiredResult,
  McpServer,
  RequestStateCodec,
  ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { explainOutcome } from '../../tools/index.ts';
import type { CommitOutcome } from '../../tools/index.ts';
import { escapeInvisible } from '../../vault/index.ts';
import type { McpBackend, Waiting } from './backend.ts';
import type { McpOptions } from './options.ts';

/** What the person is asked about: a change that is held, or a question in the inbox that an update has led to. */
export type Asked = Held | { item: string; update: string };
type Held = { change: string; reason: Reason };

/**
 * Asks the person in the client, where it can do that and may speak for them. What was asked comes back with the answer,
 * signed: nothing else can be approved by it.
 */
export type AskPerson = {
  /** Null where the person cannot be asked, or there is nothing to ask any more. */
  ask(server: McpServer, context: ServerContext, asked: Asked): Promise<InputRequiredResult | null>;
  /** What the person was asked when this call was made before; undefined when it is made for the first time. */
  asked(context: ServerContext): Asked | undefined;
  verify: RequestStateCodec<Asked>['verify'];
};

export function createAskPerson(backend: McpBackend, { mayQuotePerson = false }: McpOptions): AskPerson {
  const codec = createRequestStateCodec<Asked>({ key: randomBytes(32) });
  return {
    async ask(server, context, asked) {
      if (!mayQuotePerson || !canAsk(server, context)) return null;
      const waiting = (await backend.waiting()).find((each) => isAbout(each, asked));
      if (waiting === undefined) return null;
      return inputRequired({
        inputRequests: { [key]: waiting.kind === 'held' ? approvalOf(waiting) : answerTo(waiting) },
        requestState: await codec.mint(asked),
      });
    },
    asked: ({ mcpReq }) => (mayQuotePerson ? mcpReq.requestState<Asked>() : undefined),
    verify: (state, context) => codec.verify(state, context),
  };
}

/** What becomes of a held change after the person was asked: it is made if they agreed, and stays held if not. */
export async function decideHeld(
  backend: Pick<McpBackend, 'approve'>,
  { mcpReq }: ServerContext,
  { change, reason }: Held,
): Promise<CommitOutcome> {
  const hasAgreed = acceptedContent(mcpReq.inputResponses, key, approval)?.approve === true;
  return hasAgreed ? backend.approve(change) : explainOutcome({ kind: 'held', id: change, reason });
}

/** For the model that asked for it. */
export const approvedNote = 'the person has approved it: the change is made';

/** What the person has answered; undefined when nothing. */
export function answerOf({ mcpReq }: ServerContext): string | undefined {
  return acceptedContent(mcpReq.inputResponses, key, answer)?.answer;
}

const key = 'person';
const approval = z.object({ approve: z.boolean().describe('Make this change') });
const answer = z.object({ answer: z.string().trim().min(1).describe('What you answer') });
const longestQuestion = 2_000;

function canAsk({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  const { elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  // Of the first revision that knew it: a form was all there was.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function isAbout(waiting: Waiting, asked: Asked): boolean {
  if (waiting.kind === 'held') return 'change' in asked && waiting.id === asked.change;
  return 'item' in asked && waiting.item === asked.item;
}

function approvalOf({ reason, summary, paths, removes }: Extract<Waiting, { kind: 'held' }>) {
  const lines = new Map(removes.map((each) => [each.path, each.lines]));
  const message = [
    `Keepsake: a change waits for you${reason === null ? '' : `: ${reason.text}`}. Approve it?`,
    '',
    summary,
    ...paths.map((path) => (lines.has(path) ? `${path}: ${lines.get(path)} lines less` : path)),
  ];
  return inputRequired.elicit({ message: shown(message.join('\n')), requestedSchema: approval });
}

function answerTo({ review }: Extract<Waiting, { kind: 'question' }>) {
  return inputRequired.elicit({ message: shown(`Keepsake asks:\n\n${review}`), requestedSchema: answer });
}

/** In a window of somebody else: no more than fits, and nothing that controls it. */
function shown(text: string): string {
  const lines = text.split('\n').map(escapeInvisible).join('\n');
  return lines.length > longestQuestion ? `${lines.slice(0, longestQuestion)}…` : lines;
}
