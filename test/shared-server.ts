import { inject } from 'vitest';
import type { SharedServer } from './shared-servers.ts';

/** The URL of a server that all test files of a run share, once it is ready. */
export async function sharedServer(name: SharedServer): Promise<string> {
  const response = await fetch(`${inject('sharedServers')}/${name}`);
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}
