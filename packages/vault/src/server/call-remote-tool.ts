import type { OwnerProcess } from '../app/index.ts';
import type { ToolCall, ToolOutcome } from '../tools/index.ts';
import { jsonBody, requestOwner } from './request-owner.ts';

/**
 * Calls a tool in the process that serves the vault, with the permissions of the user. Used by commands that must start
 * fast, so this module imports little.
 */
export async function callRemoteTool(owner: OwnerProcess, { tool, ...call }: ToolCall): Promise<ToolOutcome> {
  const path = `/tools/${encodeURIComponent(tool)}`;
  const answer = await requestOwner<ToolResponse>(owner, path, { body: jsonBody(call) });
  if (answer.kind === 'refused') return answer;
  const images = answer.result.images.map(({ data, ...image }) => ({
    ...image,
    data: Buffer.from(data, 'base64'),
  }));
  return { kind: 'result', result: { ...answer.result, images } };
}

type Result = Extract<ToolOutcome, { kind: 'result' }>['result'];
type SentImage = { path: string; mediaType: string; data: string };
/** The JSON form of `api.toolOutcome`. */
type ToolResponse =
  | { kind: 'result'; result: Omit<Result, 'images'> & { images: SentImage[] } }
  | { kind: 'refused'; message: string };
