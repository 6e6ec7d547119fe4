// Checks the workflows in .github as GitHub does: keys, expressions, schedules, job dependencies.
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// The parser imports JSON without an import attribute, which bundlers allow but Node.js does not.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
  await import('@actions/workflow-parser');

const problems: string[] = [];
for (const name of globSync('.github/workflows/*.yml')) {
  const { context, value } = parseWorkflow(
    { name, content: readFileSync(name, 'utf8') },
    new NoOperationTraceWriter(),
  );
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  problems.push(...context.errors.getErrors().map(({ message }) => message));
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
