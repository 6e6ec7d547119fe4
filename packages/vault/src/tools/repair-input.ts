import type { z } from 'zod';

/**
 * Corrects the form of a rejected input without changing its meaning, because small models often get only the form
 * wrong: a text instead of a list, a similar name, a number instead of a text, JSON inside a string. Returns the
 * corrected input, or undefined if nothing can be corrected.
 */
export function repairInput(input: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = copyInput(input);
  if (copy === undefined) return undefined;
  const repaired = { input: copy };
  const hasChanged = issues.map((issue) => repairIssue(repaired, issue, issues)).includes(true);
  return hasChanged ? repaired.input : undefined;
}

/** Undefined for an input that is nested too deeply to be copied. */
function copyInput(input: unknown): unknown {
  try {
    return structuredClone(input);
  } catch {
    return undefined;
  }
}

type Container = Record<PropertyKey, unknown>;

function repairIssue(root: Container, issue: z.core.$ZodIssue, issues: readonly z.core.$ZodIssue[]): boolean {
  const path = ['input', ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return renameKeys(valueAt(root, path), issue.keys, missingKeys(root, issue.path, issues));
  if (issue.code !== 'invalid_type') return false;
  const [parent, key = ''] = [valueAt(root, path.slice(0, -1)), path.at(-1)];
  if (!isContainer(parent)) return false;
  const value = convert(parent[key], issue.expected, path.length === 1);
  if (value === undefined) return false;
  parent[key] = value;
  return true;
}

/** Undefined if the value cannot be converted. */
function convert(value: unknown, expected: string, isWholeInput: boolean): unknown {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  switch (expected) {
    case 'array':
      if (Array.isArray(parsed)) return parsed;
      return typeof value === 'string' || (isContainer(value) && !Array.isArray(value)) ? [value] : undefined;
    case 'object':
      if (isContainer(parsed) && !Array.isArray(parsed)) return parsed;
      // The only objects in lists are files with a path.
      return typeof value === 'string' && !isWholeInput ? { path: value } : undefined;
    case 'string':
      if (typeof value === 'number') return String(value);
      if (!Array.isArray(value) || value.length === 0) return undefined;
      // A line range as a list of numbers, or a single text in a list.
      if (value.length <= 2 && value.every((each) => typeof each === 'number')) return value.join('-');
      return value.length === 1 && typeof value[0] === 'string' ? value[0] : undefined;
    case 'number':
    case 'int':
      return typeof parsed === 'number' ? parsed : undefined;
    case 'boolean':
      return typeof parsed === 'boolean' ? parsed : undefined;
    default:
      return undefined;
  }
}

/** Names that models use for the parameters of the tools. */
const otherNames: Record<string, string[]> = {
  queries: ['query', 'q', 'keywords', 'search'],
  scopes: ['scope'],
  paths: ['path', 'file', 'files'],
  files: ['file', 'paths', 'path', 'entries'],
  path: ['file', 'filename', 'file_path', 'filePath', 'folder'],
  lines: ['line', 'range'],
  content: ['text', 'body'],
  old: ['old_text', 'oldText', 'old_string'],
  new: ['new_text', 'newText', 'new_string'],
  from: ['source', 'path'],
  to: ['destination', 'target', 'new_path'],
};

/** Renames unknown keys, preferably to one that is missing. */
function renameKeys(value: unknown, keys: readonly string[], missing: readonly string[]): boolean {
  if (!isContainer(value)) return false;
  // One file instead of a list of files.
  if (missing.includes('files') && typeof value['path'] === 'string') {
    const file = { ...value };
    for (const key of keys) delete value[key];
    value['files'] = [file];
    return true;
  }
  let isRenamed = false;
  for (const key of keys) {
    const names = Object.keys(otherNames).filter(
      (name) => otherNames[name]?.includes(key) === true && !(name in value),
    );
    const name = names.find((each) => missing.includes(each)) ?? names[0];
    if (name === undefined) continue;
    value[name] = value[key];
    delete value[key];
    isRenamed = true;
  }
  return isRenamed;
}

/** The required keys that an object lacks. */
function missingKeys(
  root: Container,
  path: readonly PropertyKey[],
  issues: readonly z.core.$ZodIssue[],
): string[] {
  const object = valueAt(root, ['input', ...path]);
  return issues.flatMap((issue) => {
    const key = String(issue.path.at(-1) ?? '');
    const isHere = issue.path.length === path.length + 1 && path.every((each, at) => each === issue.path[at]);
    return isHere && isContainer(object) && object[key] === undefined ? [key] : [];
  });
}

function valueAt(root: Container, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (isContainer(value) ? value[key] : undefined), root);
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
