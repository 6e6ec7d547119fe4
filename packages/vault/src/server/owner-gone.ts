/** The process that served the vault is not there any more, or serves it no longer. */
export class OwnerGone extends Error {
  override readonly name = 'OwnerGone';
}
