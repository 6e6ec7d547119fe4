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
import { describeOutcome } from '../../tools/index.ts';
import type { CommitOutcome } from '../../tools/index.ts';
import { escapeInvisible } from '../../vault/index.ts';
import type { McpBackend, InboxEntryView } from './backend.ts';
import type { McpOptions } from './options.ts';

/** The subject of an elicitation: a held change, or an inbox question that an update has created. */
export type ElicitationSubject = HeldChange | { item: string; update: string };
type HeldChange = { change: string; reason: Reason };

/**
 * Asks the user through the client, if the client supports elicitation and may speak for the user. The subject travels
 * in the signed request state, so that a response can approve nothing else.
 */
export type Elicitation = {
  /** Null if the client cannot ask the user, or the subject is no longer open. */
  ask(
    server: McpServer,
    context: ServerContext,
    subject: ElicitationSubject,
  ): Promise<InputRequiredResult | null>;
  /** The subject of the elicitation that this call answers; undefined on the first call. */
  getSubject(context: ServerContext): ElicitationSubject | undefined;
  verify: RequestStateCodec<ElicitationSubject>['verify'];
};

export function createElicitation(
  backend: McpBackend,
  { trustsUserClaims = false }: McpOptions,
): Elicitation {
  const codec = createRequestStateCodec<ElicitationSubject>({ key: randomBytes(32) });
  return {
    async ask(server, context, subject) {
      if (!trustsUserClaims || !supportsElicitation(server, context)) return null;
      const entry = (await backend.listInbox()).find((each) => isAbout(each, subject));
      if (entry === undefined) return null;
      return inputRequired({
        inputRequests: {
          [key]: entry.kind === 'held' ? createApprovalForm(entry) : createAnswerForm(entry),
        },
        requestState: await codec.mint(subject),
      });
    },
    getSubject: ({ mcpReq }) => (trustsUserClaims ? mcpReq.requestState<ElicitationSubject>() : undefined),
    verify: (state, context) => codec.verify(state, context),
  };
}

/** Applies a held change if the user has approved it; otherwise it stays held. */
export async function resolveHeldChange(
  backend: Pick<McpBackend, 'approve'>,
  { mcpReq }: ServerContext,
  { change, reason }: HeldChange,
): Promise<CommitOutcome> {
  const isApproved = acceptedContent(mcpReq.inputResponses, key, approval)?.approve === true;
  return isApproved ? backend.approve(change) : describeOutcome({ kind: 'held', id: change, reason });
}

/** For the model that requested the change. */
export const approvedMessage = 'the user approved the change; it was applied';

/** The user's answer to an inbox question; undefined without one. */
export function readElicitedAnswer({ mcpReq }: ServerContext): string | undefined {
  return acceptedContent(mcpReq.inputResponses, key, answer)?.answer;
}

const key = 'person';
const approval = z.object({ approve: z.boolean().describe('Approve this change') });
const answer = z.object({ answer: z.string().trim().min(1).describe('Your answer') });
const maxMessageLength = 2_000;

function supportsElicitation({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  const { elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  // In the first protocol revision with elicitation, clients declared it without naming a mode, and forms were the only one.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function isAbout(entry: InboxEntryView, subject: ElicitationSubject): boolean {
  if (entry.kind === 'held') return 'change' in subject && entry.id === subject.change;
  return 'item' in subject && entry.item === subject.item;
}

function createApprovalForm({ reason, summary, paths, removes }: Extract<InboxEntryView, { kind: 'held' }>) {
  const lines = new Map(removes.map((each) => [each.path, each.lines]));
  const message = [
    `Keepsake: a change needs your approval${reason === null ? '' : `: ${reason.text}`}. Approve?`,
    '',
    summary,
    ...paths.map((path) => (lines.has(path) ? `${path}: removes ${lines.get(path)} lines` : path)),
  ];
  return inputRequired.elicit({ message: truncateForDisplay(message.join('\n')), requestedSchema: approval });
}

function createAnswerForm({ review }: Extract<InboxEntryView, { kind: 'question' }>) {
  return inputRequired.elicit({
    message: truncateForDisplay(`Keepsake asks:\n\n${review}`),
    requestedSchema: answer,
  });
}

/** The text is shown in the window of another program, so it is truncated and control characters are escaped. */
function truncateForDisplay(text: string): string {
  const lines = text.split('\n').map(escapeInvisible).join('\n');
  return lines.length > maxMessageLength ? `${lines.slice(0, maxMessageLength)}…` : lines;
}
