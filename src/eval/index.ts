export { evaluateAnswers } from './answers.ts';
export { compareRuns, evaluationRun, showRun } from './compare-runs.ts';
export type { EvaluationRow, EvaluationRun } from './compare-runs.ts';
export { evaluateFiling } from './filing.ts';
export { generatedLanguages, generateSet, writePublishedSequences } from './generate/generate-set.ts';
export { fewestUpdates } from './generate/sequence.ts';
export type { Figures } from './measure-retrieval.ts';
export { evaluateRetrieval } from './retrieval.ts';
export type { Part } from './retrieval.ts';
