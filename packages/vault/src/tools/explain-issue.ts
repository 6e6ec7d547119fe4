import type { z } from 'zod';

/** Describes a validation issue as a phrase that follows the parameter name. */
export function explainIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing; pass ${nounFor(issue.expected)}`
        : `must be ${nounFor(issue.expected)}`;
    case 'too_small':
      return `must ${amount(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${amount(issue.origin, 'at most', issue.maximum)}`;
    case 'unrecognized_keys':
      return `does not accept ${quoted(issue.keys)}; remove it`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${quoted(issue.values)}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return 'is invalid; see the parameters of this tool';
  }
}

const nouns: Record<string, string> = {
  string: 'text',
  array: 'a list',
  object: 'an object',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function nounFor(type: string): string {
  return nouns[type] ?? type;
}

function amount(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'array') return `have ${bound} ${limit === 1 ? '1 entry' : `${limit} entries`}`;
  if (origin === 'string') return `have ${bound} ${limit === 1 ? '1 character' : `${limit} characters`}`;
  return `be ${bound} ${limit}`;
}

function quoted(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
