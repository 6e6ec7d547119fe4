import { HostingError } from './error.ts';
import type { RootKey } from './root-key.ts';

/** The columns of a node's row that decide where requests, and the credentials in them, are sent. */
export type SignedNode = { id: string; address: string; publicUrl: string | null; group: string };

/** A row of `nodes` as `signedNodeColumns` selects it. */
export type NodeRow = SignedNode & { signature: Buffer | null };

export const signedNodeColumns =
  'nodes.id, nodes.address, nodes.public_url as "publicUrl", nodes.tenant_group as "group", nodes.signature';

export function signNode(rootKey: RootKey, { id, address, publicUrl, group }: SignedNode): Buffer {
  return rootKey.sign(['node', id, address, publicUrl, group]);
}

/** Whether a node that has the root key wrote this row. */
export function isSignedNode(rootKey: RootKey, { signature, ...node }: NodeRow): boolean {
  const { id, address, publicUrl, group } = node;
  return rootKey.verify(['node', id, address, publicUrl, group], signature);
}

export function requireSignedNode(rootKey: RootKey, row: NodeRow): NodeRow {
  if (isSignedNode(rootKey, row)) return row;
  throw new HostingError('damaged', `the address of node ${row.id} is not signed with the root key`, {
    hint: 'restart the node, or sign the nodes of an earlier version with: keepsake-service cluster access --confirm',
  });
}
