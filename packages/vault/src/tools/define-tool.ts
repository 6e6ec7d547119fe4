import type { z } from 'zod';
import type { PathError } from '../contract/index.ts';
import { traced } from '../trace/index.ts';
import { showInput } from '../vault/index.ts';
import type { CommitOutcome } from './commit-outcome.ts';
import { toolName } from './door.ts';
import { explainIssue } from './explain-issue.ts';
import type { Run, WriteRun } from './run.ts';

export type ImagePart = { path: string; mediaType: string; data: Buffer };

export type ToolResult<Value extends { errors: PathError[] } = { errors: PathError[] }> = {
  /** Exactly what a model reads. */
  text: string;
  /** The images that the text announces, in its order. */
  images: ImagePart[];
  /** The same for programs. */
  value: Value;
};

/** A verb over the vault. Agents, MCP, HTTP and the command line all derive from this one value. */
export type Tool = ReadTool | WriteTool;

export type ReadTool = Described & {
  effect: 'read';
  /** Errors about paths are part of the result; it throws only when something broke. */
  call: (input: unknown, run: Run) => Promise<ToolOutcome>;
};

/** Needs a run that has a transaction; nothing else can be handed to it. */
export type WriteTool = Described & {
  effect: 'write';
  call: (input: unknown, run: WriteRun) => Promise<ToolOutcome>;
};

type Described = {
  name: string;
  /** For the person, where a client shows what is called. */
  title: string;
  /** For the model: what it does, when to use it, one example. */
  description: string;
  input: z.ZodType;
  output: z.ZodType;
};

/** `commit` is what became of what the call staged, where it was committed at once. */
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
  return { ...describe(definition), effect: 'read', call: parsing(definition) };
}

export function defineWriteTool<Input extends z.ZodType, Value extends { errors: PathError[] }>(
  definition: Definition<Input, Value, WriteRun>,
): WriteTool {
  const call = parsing(definition);
  return {
    ...describe(definition),
    effect: 'write',
    /** A call that fails has staged nothing. */
    async call(input, run) {
      const undo = run.transaction.savepoint();
      const outcome = await call(input, run);
      if (outcome.kind === 'refused' || outcome.result.value.errors.length > 0) undo();
      return outcome;
    },
  };
}

function describe({ name, title, description, input, output }: Described): Described {
  return { name, title, description, input, output };
}

function parsing<Input extends z.ZodType, Value extends { errors: PathError[] }, Needs extends Run>({
  name,
  input: schema,
  run: work,
}: Definition<Input, Value, Needs>): (input: unknown, run: Needs) => Promise<ToolOutcome> {
  return async (input, run) => {
    const parsed = schema.safeParse(input, { error: explainIssue });
    if (!parsed.success) return { kind: 'refused', message: explain(toolName(name, run.door), parsed.error) };
    const result = await traced({ work: 'tool', tool: name }, () => work(parsed.data, run));
    return { kind: 'result', result };
  };
}

const mostProblems = 5;

/** One line per problem, each naming the parameter, in a form that a model can act on. */
function explain(name: string, { issues }: z.ZodError): string {
  const lines = issues.slice(0, mostProblems).map(({ path, message }) => {
    return showInput(`error: ${[name, ...path.map(String)].join('.')}: ${message}`);
  });
  const more = issues.length - lines.length;
  return [...lines, ...(more > 0 ? [`error: ${more} more problems`] : [])].join('\n');
}

/** An error that concerns no path in particular has an empty one. */
export function errorLine({ path, message }: PathError): string {
  return path === '' ? `error: ${message}` : `error: ${path}: ${message}`;
}
