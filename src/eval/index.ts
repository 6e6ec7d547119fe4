export type { Figures } from './measure-retrieval.ts';
export { evaluateRetrieval } from './retrieval.ts';
