export { evaluateAnswers } from './evaluate-answers.ts';
export { baselineNames } from './baselines.ts';
export type { BaselineName } from './baselines.ts';
export { compareRuns } from './compare-runs.ts';
export { formatDataCard } from './data-card.ts';
export { parseRun } from './evaluation-run.ts';
export type { EvaluationRow, EvaluationRun } from './evaluation-run.ts';
export { scenarioSets } from './filing-scenarios.ts';
export type { ScenarioSet } from './filing-scenarios.ts';
export { evaluateFiling } from './evaluate-filing.ts';
export type { SystemName } from './evaluate-filing.ts';
export {
  generatedLanguages,
  generateSet,
  writePublishedAnswers,
  writePublishedSequences,
} from './generate/generate-set.ts';
export { updateCountRange } from './generate/sequence.ts';
export type { RetrievalMetrics } from './retrieval-metrics.ts';
export { evaluateRetrieval } from './evaluate-retrieval.ts';
export type { RetrievalComparison, Split } from './evaluate-retrieval.ts';
export { checkSystem } from './check-system.ts';
export { evaluateSystemFiling } from './evaluate-system.ts';
export { evaluateSystemAnswers } from './evaluate-system-answers.ts';
export { createResultCard } from './result-card.ts';
export type { CardFacts, SystemDescription } from './result-card.ts';
export { bundledSystemNames, createSystemFactory } from './systems/start-system.ts';
export type { SystemFactory } from './systems/memory-system.ts';
export { importedFormats, readDataset } from './import/import-dataset.ts';
export type { ImportedFormat } from './import/import-dataset.ts';
export { writeImportedSet } from './import/imported-set.ts';
export { hashFolder } from './hash-folder.ts';
export { formatRun } from './format-run.ts';
export { summarizeRun } from './summarize.ts';
