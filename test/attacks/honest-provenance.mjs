// Words of others do not change the profile without approval: not when you answer a question that the agent asked about them.
import { call } from './lib/model.mjs';
import { askAndAnswer } from './lib/question.mjs';

await askAndAnswer([
  [call('write', { path: '$ITEM/review.md', content: '# Question\n\nShall I file it?\n' })],
]);
