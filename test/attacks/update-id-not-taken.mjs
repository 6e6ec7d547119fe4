// Nothing accepted is lost: a tool call under the id of an update that waits does not pass for that update.
import { obeying, startModel } from './lib/model.mjs';
import { broken, failed, held, keepsake, newToken, newVault, prepare, serve } from './lib/world.mjs';

await newVault();
const token = await newToken('write');
const service = await serve();
const { status, body } = await service.call(token, 'POST', 'updates', { text: 'remember the boiler' });
if (status !== 202) failed(`an update is answered with ${status}`);
const answer = await service.call(token, 'POST', 'tools/write', {
  id: body.id,
  input: { path: 'bucket/x.md', content: 'x' },
});
await service.stop();
const model = await startModel(obeying([]));
await keepsake(['updates', 'run'], { env: model.env, seconds: 40 });
const { state, result } = JSON.parse(await prepare('updates', 'show', body.id, '--json'));
if (model.requests.length === 0)
  broken(
    `the call is answered with ${answer.status}, and the update is ${state}, ${result?.kind}, without any model having seen it`,
  );
held();
