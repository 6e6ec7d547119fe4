import type { z } from 'zod';
import type { PathError } from '../contract/index.ts';
import { withSpan } from '../trace/index.ts';
import { formatInput } from '../vault/index.ts';
import type { CommitOutcome } from './commit-outcome.ts';
import { toolName } from './tool-names.ts';
import { explainIssue } from './explain-issue.ts';
import { repairInput } from './repair-input.ts';
import type { Run, WriteRun } from './run.ts';

export type ImagePart = { path: string; mediaType: string; data: Buffer };

export type ToolResult<Value extends { errors: PathError[] } = { errors: PathError[] }> = {
  /** The result as text, exactly as a model reads it. */
  text: string;
  /** The images that the text mentions, in the same order. */
  images: ImagePart[];
  /** The result as structured data. */
  value: Value;
};

/** An operation on the vault. Agents, MCP, HTTP and the CLI are all derived from this value. */
export type Tool = ReadTool | WriteTool;

export type ReadTool = ToolDescription & {
  effect: 'read';
  /** Path errors are part of the result; throws only on unexpected failures. */
  call: (input: unknown, run: Run) => Promise<ToolOutcome>;
};

/** Requires a run with a transaction. */
export type WriteTool = ToolDescription & {
  effect: 'write';
  call: (input: unknown, run: WriteRun) => Promise<ToolOutcome>;
};

type ToolDescription = {
  name: string;
  /** Shown to the user by clients that display tool calls. */
  title: string;
  /** Shown to the model: what the tool does, when to use it, and an example. Names of tools are in backticks (`nameTools`). */
  description: string;
  input: z.ZodType;
  output: z.ZodType;
};

/** `commit` is the outcome of the commit, for calls that are committed immediately. */
export type ToolOutcome =
  | { kind: 'result'; result: ToolResult; commit?: CommitOutcome }
  | { kind: 'refused'; message: string };

type Definition<Input extends z.ZodType, Value extends { errors: PathError[] }, Needs> = {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodType<Value>;
  run: (input: z.output<Input>, run: Needs) => Promise<ToolResult<Value>>;
};

export function defineReadTool<Input extends z.ZodType, Value extends { errors: PathError[] }>(
  definition: Definition<Input, Value, Run>,
): ReadTool {
  return { ...describe(definition), effect: 'read', call: withParsedInput(definition) };
}

export function defineWriteTool<Input extends z.ZodType, Value extends { errors: PathError[] }>(
  definition: Definition<Input, Value, WriteRun>,
): WriteTool {
  const call = withParsedInput(definition);
  return {
    ...describe(definition),
    effect: 'write',
    /** A failed call leaves nothing staged. */
    async call(input, run) {
      const undo = run.transaction.savepoint();
      const outcome = await call(input, run);
      if (outcome.kind === 'refused' || outcome.result.value.errors.length > 0) undo();
      return outcome;
    },
  };
}

function describe({ name, title, description, input, output }: ToolDescription): ToolDescription {
  return { name, title, description, input, output };
}

function withParsedInput<Input extends z.ZodType, Value extends { errors: PathError[] }, Needs extends Run>({
  name,
  input: schema,
  run: work,
}: Definition<Input, Value, Needs>): (input: unknown, run: Needs) => Promise<ToolOutcome> {
  return async (input, run) => {
    const parsed = parseInput(schema, input);
    if (!parsed.success)
      return { kind: 'refused', message: formatIssues(toolName(name, run.toolInterface), parsed.error) };
    const result = await withSpan({ name: 'tool', tool: name }, () => work(parsed.data, run));
    return { kind: 'result', result };
  };
}

/** A repaired value may reveal the next problem, for example a list of texts where a list of files is expected. */
const maxRepairs = 4;

/** Parses an input, if necessary after correcting its form. An input that cannot be corrected fails as it was passed. */
function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const parsed = schema.safeParse(input, { error: explainIssue });
  let repaired = parsed;
  let current = input;
  for (let repairs = 0; !repaired.success && repairs < maxRepairs; repairs += 1) {
    current = repairInput(current, repaired.error.issues);
    if (current === undefined) break;
    repaired = schema.safeParse(current, { error: explainIssue });
  }
  return repaired.success ? repaired : parsed;
}

const maxReportedIssues = 5;

/** Formats one line per issue, each with the parameter name, so that a model can correct the call. */
function formatIssues(name: string, { issues }: z.ZodError): string {
  const lines = issues.slice(0, maxReportedIssues).map(({ path, message }) => {
    return formatInput(`error: ${[name, ...path.map(String)].join('.')}: ${message}`);
  });
  const more = issues.length - lines.length;
  return [...lines, ...(more > 0 ? [`error: ${more} more problems`] : [])].join('\n');
}

/** Advice that only the caller of a tool can follow; that on a damaged document is for people, too. */
const callerAdvice = /; (?:call|did you mean|give|list|omit|read|request|write) [^;]*$/;

/** An error for a person who reads the result of someone else's call. */
export function withoutCallerAdvice({ path, message }: PathError): PathError {
  return { path, message: message.replace(callerAdvice, '') };
}

/** The path is empty for an error that does not concern a path. */
export function formatPathError({ path, message }: PathError): string {
  return path === '' ? `error: ${message}` : `error: ${path}: ${message}`;
}
