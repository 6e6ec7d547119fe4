import { api } from '../../contract/index.ts';
import type { ProblemCode } from '../../contract/index.ts';

/** A problem that the server reported, or `offline` if it could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode | 'offline';
  /** What the user can do about it. */
  readonly next: string;

  constructor(code: ProblemCode | 'offline', message: string, next: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.next = next;
  }
}

export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const parsed = api.problem.safeParse(body);
  if (!parsed.success) return new ApiError('internal', `${response.status}`, '');
  const { code, detail, next } = parsed.data;
  return new ApiError(code, detail, next);
}

export function hasErrorCode(error: unknown, code: ApiError['code']): error is ApiError {
  return error instanceof ApiError && error.code === code;
}
