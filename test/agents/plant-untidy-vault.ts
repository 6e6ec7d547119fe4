// node test/agents/plant-untidy-vault.ts <new folder>: creates a vault for a trial of tidying with a real model, and prints what was
// planted. Then: keepsake tidy --vault <folder>, count the proposals that are in the list, answer them, and repeat.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { layOut } from '../temporary-vault.ts';
import { untidyVault } from './untidy-vault.ts';

const folder = process.argv[2];
if (folder === undefined || existsSync(folder)) {
  console.error('usage: node test/agents/plant-untidy-vault.ts <new folder>');
  process.exit(2);
}
const { files, planted } = untidyVault();
initVault(folder, { language: 'en', home: homedir(), clock: Date.now });
layOut(folder, files);
for (const [index, { kind, project, target, evidence }] of planted.entries())
  console.log(
    `${String(index + 1).padStart(2)}  ${kind.padEnd(13)}  ${project.padEnd(11)}  ${target}  <-  ${evidence}`,
  );
