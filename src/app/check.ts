/** One thing that was looked at. */
export type Check = {
  name: string;
  /** A warning does not keep Keepsake from working. */
  status: 'ok' | 'warning' | 'failed';
  message: string;
  /** What to do about it; empty when it is fine. */
  mend: string;
};

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message, mend: '' };
}
