import type { Owner } from '../app/index.ts';
import type { ToolCall, ToolOutcome } from '../tools/index.ts';
import { jsonBody, requestOwner } from './request-owner.ts';

/** Calls a tool for the person in the process that serves the vault. For a command that ends with it, so little is loaded. */
export async function callToolThere(owner: Owner, { tool, ...call }: ToolCall): Promise<ToolOutcome> {
  const path = `/tools/${encodeURIComponent(tool)}`;
  const answer = await requestOwner<Sent>(owner, path, { body: jsonBody(call) });
  if (answer.kind === 'refused') return answer;
  const images = answer.result.images.map(({ data, ...image }) => ({
    ...image,
    data: Buffer.from(data, 'base64'),
  }));
  return { kind: 'result', result: { ...answer.result, images } };
}

type Result = Extract<ToolOutcome, { kind: 'result' }>['result'];
type SentImage = { path: string; mediaType: string; data: string };
/** As `api.toolOutcome` describes it. */
type Sent =
  | { kind: 'result'; result: Omit<Result, 'images'> & { images: SentImage[] } }
  | { kind: 'refused'; message: string };
