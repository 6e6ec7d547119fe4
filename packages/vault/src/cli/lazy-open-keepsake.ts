export { openKeepsake, openVaultRoot } from '../app/index.ts';
