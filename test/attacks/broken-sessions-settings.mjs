// A folder that is excluded from recording stays excluded if the settings have a typo and a command changes something else in them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callHook, recordSessions, settingsFile, spool } from './lib/sessions.mjs';
import { broken, failed, held, keepsake, newVault, world } from './lib/world.mjs';

await newVault();
const excluded = join(world, 'excluded');
mkdirSync(excluded);
recordSessions({ [excluded]: null });
const countRecorded = () => {
  try {
    return readdirSync(spool).filter((name) => name.endsWith('.json')).length;
  } catch {
    return 0;
  }
};
const input = { session_id: 's', cwd: excluded, prompt: 'CONFIDENTIAL', prompt_id: 'p' };
await callHook('prompt', input);
if (countRecorded() > 0) failed('the folder is recorded although it is excluded');
// The user edits the file and types a comma too many.
const typo = readFileSync(settingsFile, 'utf8').replace('"everywhere",', '"everywhere",,');
writeFileSync(settingsFile, typo);
const changed = await keepsake(['config', 'capture', 'everywhere']);
const now = readFileSync(settingsFile, 'utf8');
if (now !== typo && !now.includes(JSON.stringify(excluded)))
  broken(`keepsake config capture (exit ${changed.code}) dropped the excluded folder from the settings`);
held();
