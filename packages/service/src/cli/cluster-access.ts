import { Command, Option } from 'commander';
import { exitCode, printResult } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { pluralize } from '../../../vault/src/vault/index.ts';
import type { Role, TokenScope } from '../../../vault/src/server/index.ts';
import {
  confirmAccess,
  createServiceToken,
  createVaultInvitation,
  removeServiceToken,
  reviewAccess,
  rotateRootKey,
} from '../hosting/index.ts';
import type { AccessReview, ReviewedVault } from '../hosting/index.ts';
import { withService } from './node.ts';

export function addTokenCommand(cli: Cli): Command {
  return new Command('add-token')
    .summary('create an access token for a vault (shown once)')
    .argument('<vault>')
    .argument('<name>', 'label of the token')
    .addOption(
      new Option('--scope <scope>', 'permissions of the token').choices(['read', 'write']).default('read'),
    )
    .option('--json', 'print JSON')
    .action(async (vault: string, name: string, options: { json?: boolean; scope: TokenScope }) => {
      await withService(cli.environment, async (service) => {
        const secret = await createServiceToken(service, { vault, name, scope: options.scope });
        printResult(
          cli,
          `${secret}\nshown only once; send it as: Authorization: Bearer …`,
          { secret },
          options,
        );
      });
      cli.finish(exitCode.ok);
    });
}

export function removeTokenCommand(cli: Cli): Command {
  return new Command('remove-token')
    .summary('revoke the access tokens of a name (effective within seconds)')
    .argument('<vault>')
    .argument('<name>', 'label of the token')
    .action(async (vault: string, name: string) => {
      await withService(cli.environment, async (service) => {
        const count = await removeServiceToken(service, { vault, name });
        printResult(cli, `revoked ${pluralize(count, 'token')}`, { vault, name, count }, {});
      });
      cli.finish(exitCode.ok);
    });
}

export function accessCommand(cli: Cli): Command {
  return new Command('access')
    .summary('show tokens, pending invitations and limits of a vault, or everything that is not sealed yet')
    .argument('[vault]')
    .option('--confirm <code>', 'seal what the command showed together with this code')
    .option('--json', 'print JSON')
    .action(async (vault: string | undefined, options: { confirm?: string; json?: boolean }) => {
      await withService(cli.environment, async (service) => {
        const review =
          options.confirm === undefined
            ? await reviewAccess(service, vault)
            : await confirmAccess(service, vault, options.confirm);
        printResult(cli, describeReview(review, vault, options.confirm !== undefined), review, options);
      });
      cli.finish(exitCode.ok);
    });
}

export function rotateRootKeyCommand(cli: Cli): Command {
  return new Command('rotate-root-key')
    .summary('encrypt the keys of all vaults with the next root key')
    .action(async () => {
      await withService(cli.environment, async (service) => {
        const count = await rotateRootKey(service);
        printResult(
          cli,
          `encrypted the ${count === 1 ? 'key' : 'keys'} of ${pluralize(count, 'vault')} with the next root key`,
          { count },
          {},
        );
      });
      cli.finish(exitCode.ok);
    });
}

function describeReview(
  { vaults, nodes, digest }: AccessReview,
  vault: string | undefined,
  isDone: boolean,
): string {
  const lines = [
    ...vaults.flatMap(describeVault),
    ...nodes.map(({ id, address, publicUrl }) =>
      `node ${id}  NOT SIGNED  ${address}  ${publicUrl ?? ''}`.trimEnd(),
    ),
  ];
  if (lines.length === 0) return 'everything is sealed';
  const command = [
    'keepsake-service cluster access',
    ...(vault === undefined ? [] : [vault]),
    '--confirm',
    digest,
  ];
  const isSealed = nodes.length === 0 && vaults.every(({ state }) => state === 'sealed');
  const what = isSealed
    ? 'sealed; if a node reports that an earlier version was put back, accept this with'
    : 'if all of this is right, seal it with';
  return [...lines, isDone ? 'sealed' : `${what}: ${command.join(' ')}`].join('\n');
}

const stateNotes: Record<ReviewedVault['state'], string> = {
  sealed: '',
  unsealed: '  NOT SEALED',
  damaged: '  DAMAGED: sealing removes all tokens, pending invitations and limits',
};

function describeVault({ vault, state, access }: ReviewedVault): string[] {
  const { group, limits, tokens, invitations } = access;
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return [
    `${vault}${group === '' ? '' : `  group ${group}`}${stateNotes[state]}`,
    ...tokens.map(({ name, scope, createdAt }) => `  token ${name}  ${scope}  created ${day(createdAt)}`),
    ...invitations.map(({ name, role, until }) => `  invitation ${name}  ${role}  until ${day(until)}`),
    ...Object.entries(limits).map(([name, value]) => `  limit ${name}  ${value.toLocaleString('en')}`),
  ];
}

export function inviteCommand(cli: Cli): Command {
  return new Command('invite')
    .summary('print a one-time invitation link, valid for a week')
    .argument('<vault>')
    .argument('<name>', 'display name used in the history')
    .addOption(
      new Option('--role <role>', 'role of the member')
        .choices(['owner', 'writer', 'reader'])
        .default('owner'),
    )
    .option('--json', 'print JSON')
    .action(async (vault: string, name: string, options: { json?: boolean; role: Role }) => {
      await withService(cli.environment, async (service) => {
        const url = await createVaultInvitation(service, { vault, name, role: options.role });
        printResult(
          cli,
          `${url}\nshown only once; signs ${name} in once, valid for a week`,
          { url },
          options,
        );
      });
      cli.finish(exitCode.ok);
    });
}
