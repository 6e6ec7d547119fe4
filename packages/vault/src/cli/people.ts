import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { AppError, findOwnerProcess, resolveStateFolder } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { openMembers, requestInvitation } from '../server/index.ts';
import type { Role } from '../server/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';

const roles: Role[] = ['owner', 'writer', 'reader'];

export function peopleCommand(cli: Cli): Command {
  const command = vaultCommand('people')
    .enablePositionalOptions()
    .summary('manage people with access to this vault')
    .description('List the people with access to this vault and their roles.')
    .action(async (options: VaultOptions) => {
      const people = await withKeepsake(cli, options, async (keepsake) => openMembers(keepsake)().list());
      const lines = people.map(
        ({ id, name, role, isInvited }) =>
          `${id.slice(0, 8)}  ${role.padEnd(6)}  ${name}${isInvited ? ' (invitation not used yet)' : ''}`,
      );
      printResult(
        cli,
        lines.length === 0 ? 'no one has been invited' : lines.join('\n'),
        { people },
        options,
      );
      cli.finish(exitCode.ok);
    });
  const invite = vaultCommand('invite')
    .summary('print a one-time invitation link, valid for a week')
    .description('Request an invitation link from a running keepsake serve.')
    .argument('<name>', 'display name used in the history')
    .addOption(new Option('--role <role>', 'role of the member').choices(roles).default('reader'))
    .action(async (name: string, _: unknown, called: Command) => {
      const options: VaultOptions & { role: Role } = called.optsWithGlobals();
      const owner = findOwnerProcess(
        resolveStateFolder({ ...options, environment: cli.environment }),
        Date.now,
      );
      if (owner === null)
        throw new AppError('bad-state', 'the vault is not being served', {
          hint: 'start it with: keepsake serve',
        });
      const url = await requestInvitation(owner, { name, role: options.role });
      printResult(cli, `${url}\nshown only once; signs ${name} in once, valid for a week`, { url }, options);
      cli.finish(exitCode.ok);
    });
  const role = vaultCommand('role')
    .summary('change a role (effective immediately)')
    .argument('<id>', 'id from keepsake people')
    .addArgument(new Argument('<role>', 'role of the member').choices(roles))
    .action(async (id: string, to: Role, _: unknown, called: Command) => {
      await changeMember(cli, called.optsWithGlobals(), id, `role changed to ${to}`, (people, one) =>
        people.setRole(one, to),
      );
      cli.finish(exitCode.ok);
    });
  const remove = vaultCommand('remove')
    .summary("revoke a person's access immediately")
    .argument('<id>', 'id from keepsake people')
    .action(async (id: string, _: unknown, called: Command) => {
      await changeMember(cli, called.optsWithGlobals(), id, 'removed', (people, one) => people.remove(one));
      cli.finish(exitCode.ok);
    });
  for (const each of [invite, role, remove]) command.addCommand(each);
  return withExamples(command, [
    'people',
    'people invite Ada --role writer',
    'people role 3f2c reader',
    'people remove 3f2c',
  ]);
}

type People = ReturnType<ReturnType<typeof openMembers>>;

/** Changes a member, selected by id or a unique prefix of it. */
async function changeMember(
  cli: Cli,
  options: VaultOptions,
  id: string,
  done: string,
  work: (people: People, id: string) => boolean,
): Promise<void> {
  const name = await withKeepsake(cli, options, async (keepsake: Keepsake) => {
    const people = openMembers(keepsake)();
    const [found, another] = people.list().filter((each) => each.id.startsWith(id));
    return found !== undefined && another === undefined && work(people, found.id) ? found.name : null;
  });
  if (name === null)
    throw new AppError('bad-input', `no member with id ${id}`, {
      hint: 'list the members with: keepsake people',
    });
  printResult(cli, `${name}: ${done}`, { id, name }, options);
}
