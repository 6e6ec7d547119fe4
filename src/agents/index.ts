export { excludingView } from './excluding-view.ts';
export type { Setting } from './conversation.ts';
export { answerQuestion } from './search/agent.ts';
export { fileUpdate } from './update/agent.ts';
export { inbox, inputProblem, openItems, reviewName } from './update/incoming.ts';
export { withoutExcluded } from './update/policy.ts';
