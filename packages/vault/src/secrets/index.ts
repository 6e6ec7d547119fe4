export { findSecrets } from './find-secrets.ts';
export { formatSecretPlace, locateSecrets } from './locate-secrets.ts';
export type { SecretPlace } from './locate-secrets.ts';
export { listSecretKinds } from './list-secret-kinds.ts';
export { hasMask, hideSecrets, maskSecrets, restoreSecrets } from './mask-secrets.ts';
export type { MaskedSecret } from './mask-secrets.ts';
export { nameSecretKind } from './name-secret-kind.ts';
export { redactSecrets } from './redact-secrets.ts';
