import type { Owner } from '../app/index.ts';
import type { ToolCall, ToolOutcome } from '../tools/index.ts';
import { OwnerGone } from './owner-gone.ts';

/** Calls a tool for the person in the process that serves the vault. For a command that ends with it, so little is loaded. */
export async function callToolThere(
  { url, secret }: Owner,
  { tool, ...call }: ToolCall,
): Promise<ToolOutcome> {
  const { status, text } = await post(
    `${url}/api/vaults/default/tools/${encodeURIComponent(tool)}`,
    secret,
    call,
  );
  if (status === 401) throw new OwnerGone('another process serves the vault by now');
  const answer = JSON.parse(text) as Sent & Problem;
  if (status !== 200)
    throw new Error(
      [answer.detail, answer.next].filter(Boolean).join('; ') || `the service answered ${status}`,
    );
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
type Problem = { detail?: string; next?: string };

function post(url: string, secret: string, body: unknown): Promise<{ status: number; text: string }> {
  // Not `fetch`, nor an import: both load all of the HTTP client, which takes longer than everything else here.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(new OwnerGone('the process that serves the vault does not answer', { cause }));
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    request(url, { method: 'POST', headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.once('error', fail);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    })
      .once('error', fail)
      .end(JSON.stringify(body));
  });
}
