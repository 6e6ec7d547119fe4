export { excludingView } from './excluding-view.ts';
export type { AgentSettings } from './conversation.ts';
export { answerQuestion } from './search/agent.ts';
export { fileUpdate } from './update/agent.ts';
export { inputProblem } from './update/incoming.ts';
export { withoutExcluded } from './update/policy.ts';
export type { InboxEntry } from './inbox.ts';
export { countInbox, listInbox } from './inbox.ts';
