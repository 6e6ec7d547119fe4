export { excludingView } from './excluding-view.ts';
export { countInbox, listInbox } from './inbox.ts';
export type { InboxEntry } from './inbox.ts';
export { answerQuestion } from './search/agent.ts';
export { withinContext } from './opening.ts';
export { fileUpdate } from './update/agent.ts';
export type { UpdateSettings } from './update/agent.ts';
export { inputProblem } from './update/incoming.ts';
export { withoutExcluded } from './update/policy.ts';
