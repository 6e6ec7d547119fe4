import { api } from '../../contract/index.ts';
import type { ConflictingFile, ProblemCode } from '../../contract/index.ts';

/** A problem that the server reported, or `offline` if it could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode | 'offline';
  /** What the user can do about it. */
  readonly next: string;
  /** The lines that were edited since a change that cannot be undone or approved for this reason. */
  readonly conflicts: readonly ConflictingFile[];

  constructor(
    code: ProblemCode | 'offline',
    message: string,
    next: string,
    { cause, conflicts = [] }: { cause?: unknown; conflicts?: readonly ConflictingFile[] | undefined } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.next = next;
    this.conflicts = conflicts;
  }
}

export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const parsed = api.problem.safeParse(body);
  if (!parsed.success) return new ApiError('internal', `${response.status}`, '');
  const { code, detail, next, conflicts } = parsed.data;
  return new ApiError(code, detail, next, { conflicts });
}

export function hasErrorCode(error: unknown, code: ApiError['code']): error is ApiError {
  return error instanceof ApiError && error.code === code;
}
