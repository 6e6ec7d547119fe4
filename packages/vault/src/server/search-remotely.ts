import type { z } from 'zod';
import type { OwnerProcess } from '../app/index.ts';
import type { api } from '../contract/index.ts';
import { jsonBody, requestOwner } from './request-owner.ts';

/** Searches in the process that serves the vault, as the user. Used by a command that must start fast, so this module imports little. */
export function searchRemotely(
  owner: OwnerProcess,
  request: z.input<typeof api.searchRequest>,
): Promise<z.output<typeof api.searchResponse>> {
  return requestOwner(owner, '/search', { body: jsonBody(request) });
}
