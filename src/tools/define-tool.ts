import type { z } from 'zod';
import type { PathError } from '../contract/index.ts';
import type { Run } from './run.ts';

export type ImagePart = { path: string; mediaType: string; data: Buffer };

type ToolResult<Value extends { errors: PathError[] } = { errors: PathError[] }> = {
  /** Exactly what a model reads. */
  text: string;
  /** The images that the text announces, in its order. */
  images: ImagePart[];
  /** The same for programs. */
  value: Value;
};

/** A verb over the vault. Agents, MCP, HTTP and the command line all derive from this one value. */
export type Tool = {
  name: string;
  effect: 'read' | 'write';
  /** For the model: what it does, when to use it, one example. */
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  /** Errors about paths are part of the result; it throws only when something broke. */
  call: (input: unknown, run: Run) => Promise<ToolOutcome>;
};

export type ToolOutcome = { kind: 'result'; result: ToolResult } | { kind: 'refused'; message: string };

type Definition<Input extends z.ZodType, Value extends { errors: PathError[] }> = {
  name: string;
  effect: Tool['effect'];
  description: string;
  input: Input;
  output: z.ZodType<Value>;
  run: (input: z.output<Input>, run: Run) => Promise<ToolResult<Value>>;
};

export function defineTool<Input extends z.ZodType, Value extends { errors: PathError[] }>(
  definition: Definition<Input, Value>,
): Tool {
  const { run, ...tool } = definition;
  return {
    ...tool,
    async call(input, context) {
      const parsed = definition.input.safeParse(input);
      if (!parsed.success) return { kind: 'refused', message: explain(definition.name, parsed.error) };
      return { kind: 'result', result: await run(parsed.data, context) };
    },
  };
}

/** One line per problem, each naming the parameter, in a form that a model can act on. */
function explain(name: string, error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => `error: ${[name, ...path.map(String)].join('.')}: ${message}`)
    .join('\n');
}

export function errorLine({ path, message }: PathError): string {
  return `error: ${path}: ${message}`;
}
