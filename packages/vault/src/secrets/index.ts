export { findSecrets } from './find-secrets.ts';
export { listSecretKinds } from './list-secret-kinds.ts';
export { redactSecrets } from './redact-secrets.ts';
