import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Checks that the ADR of a departure from the specification exists and has a row for the statement. */
export function departs(statement: string, adr: `docs/adr/${string}.md`): void {
  expect({ adr, exists: existsSync(adr) }).toEqual({ adr, exists: true });
  expect(readFileSync(adr, 'utf8')).toContain(`| ${statement} |`);
}
