// A token undoes its own changes of the last hour only, within the removal limits; older ones are held, by whichever address it asks.
import { broken, failed, held, newToken, newVault, serve } from './lib/world.mjs';
import { countLeft, writeOldNotes } from './lib/old-notes.mjs';

await newVault();
const token = await newToken('write');
const count = 40;
const ids = await writeOldNotes(token, count);
const service = await serve();
const documented = await service.call(token, 'POST', `history/${ids[0]}/undo`, {});
if (documented.status !== 200 || documented.body.held === null)
  failed(`history/…/undo does not hold it: ${JSON.stringify(documented.body).slice(0, 200)}`);
const answers = new Map();
for (const id of ids) {
  const { status } = await service.call(token, 'POST', `updates/${id}/undo`, {});
  answers.set(status, (answers.get(status) ?? 0) + 1);
}
if (countLeft() < count - 20)
  broken(
    `history/…/undo is held (${documented.body.held.reason.text}), but updates/…/undo removes ${count - countLeft()} of ${count} notes of three hours ago at once (${[...answers].map(([s, n]) => `${n} × ${s}`).join(', ')})`,
  );
held();
