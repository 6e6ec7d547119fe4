import type { Database } from 'better-sqlite3';
import { createLimiter } from '../../../vault/src/contract/index.ts';
import type { VaultLimits } from '../../../vault/src/contract/index.ts';
import { openMembers, openTokens } from '../../../vault/src/server/index.ts';
import { HostingError } from './error.ts';
import type { HostedVault } from './hosted-vault.ts';
import { withDefaultLimits } from './service-limits.ts';
import { followsApplied } from './vault-access.ts';
import type { VaultAccess } from './vault-access.ts';

/** What an open vault has taken over from its access document. */
export type AppliedAccess = {
  /**
   * Replaces the tokens and limits of the service and imports new invitations. Throws `damaged`, and changes nothing,
   * when the document is not a later version of the one applied before.
   */
  apply(access: VaultAccess): Promise<void>;
  limits(): VaultLimits;
};

type AppliedVersion = { version: number; id: string; confirmedAt: number };

/** The version that was applied last is in the log of the vault, so it survives a move to another node. */
export function createAppliedAccess(
  vault: string,
  { keepsake, flushReplication }: Pick<HostedVault, 'keepsake' | 'flushReplication'>,
): AppliedAccess {
  const [tokens, members] = [openTokens(keepsake), openMembers(keepsake)];
  const position = keepsake.state.derive(({ durable }) => createAppliedVersion(durable));
  const runExclusive = createLimiter();
  let limits: VaultLimits = {};
  const applyGrants = (access: VaultAccess, before: number): void => {
    tokens().replaceManaged(
      access.tokens.map(({ hash, ...token }) => ({ ...token, hash: Buffer.from(hash, 'hex') })),
    );
    for (const { hash, version, ...invitation } of access.invitations)
      if (version > before) members().addInvitation({ ...invitation, hash: Buffer.from(hash, 'hex') });
  };
  return {
    limits: () => limits,
    apply: (access) =>
      runExclusive(async () => {
        const { read, write, inTransaction } = position.get();
        const applied = read();
        if (applied !== null && !followsApplied(access, applied))
          throw new HostingError(
            'damaged',
            `the access settings of vault ${vault} were replaced by an earlier version`,
            { hint: `review them with: keepsake-service cluster access ${vault}` },
          );
        const id = access.lineage.at(-1) ?? '';
        if (applied?.id !== id)
          inTransaction(() => {
            applyGrants(access, applied?.version ?? 0);
            write({ version: access.version, id, confirmedAt: access.confirmedAt });
          });
        limits = withDefaultLimits(access.limits);
        // An earlier attempt may have failed to log the rows.
        await flushReplication();
      }),
  };
}

function createAppliedVersion(durable: Database): {
  read: () => AppliedVersion | null;
  write: (applied: AppliedVersion) => void;
  inTransaction: (work: () => void) => void;
} {
  const select = durable.prepare('select version, id, confirmed_at as confirmedAt from applied_access');
  const insert = durable.prepare('insert or replace into applied_access values (1, ?, ?, ?)');
  return {
    read: () => (select.get() as AppliedVersion | undefined) ?? null,
    write: ({ version, id, confirmedAt }) => void insert.run(version, id, confirmedAt),
    inTransaction: (work) => durable.transaction(work)(),
  };
}
