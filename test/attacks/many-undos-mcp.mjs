// Removals are limited: a client removes no more by undoing old changes of other clients than by deleting notes.
import { broken, held, keepsake, newToken, newVault, serve } from './lib/world.mjs';
import { callOverHttp } from './lib/mcp.mjs';
import { countLeft, writeOldNotes } from './lib/old-notes.mjs';

await newVault();
const [writer, obeying] = [await newToken('write', 'claude'), await newToken('write', 'other')];
const count = 60;
const ids = await writeOldNotes(writer, count);
const service = await serve();
let lastAnswer = '';
for (const id of ids) lastAnswer = await callOverHttp(service, obeying, 'vault_undo', { id });
const { waiting = [] } = JSON.parse((await keepsake(['inbox', '--json'])).stdout || '{}');
if (countLeft() < count - 20)
  broken(
    `another client over MCP removed ${count - countLeft()} of ${count} notes with vault_undo; ${waiting.length} wait for approval; the last answer: ${lastAnswer.slice(0, 80)}`,
  );
held();
