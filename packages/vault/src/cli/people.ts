import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { AppError, findOwner, stateFolderFor } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { openPeople, requestInvitation } from '../server/index.ts';
import type { Role } from '../server/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';

const roles: Role[] = ['owner', 'writer', 'reader'];

export function peopleCommand(cli: Cli): Command {
  const command = vaultCommand('people')
    .enablePositionalOptions()
    .summary('let other people use this vault')
    .description('Lists who was invited into this vault, and what they may do.')
    .action(async (options: VaultOptions) => {
      const people = await withKeepsake(cli, options, async (keepsake) => openPeople(keepsake)().list());
      const lines = people.map(
        ({ id, name, role, isInvited }) =>
          `${id.slice(0, 8)}  ${role.padEnd(6)}  ${name}${isInvited ? ' (has not opened the link yet)' : ''}`,
      );
      print(cli, lines.length === 0 ? 'nobody was invited yet' : lines.join('\n'), { people }, options);
      cli.finish(exitCode.ok);
    });
  const invite = vaultCommand('invite')
    .summary('print a link that lets somebody in, once, within a week')
    .description('Asks keepsake serve, which must run on the vault.')
    .argument('<name>', 'what they are called, for history')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).default('reader'))
    .action(async (name: string, _: unknown, called: Command) => {
      const options: VaultOptions & { role: Role } = called.optsWithGlobals();
      const owner = findOwner(stateFolderFor({ ...options, environment: cli.environment }), Date.now);
      if (owner === null)
        throw new AppError('bad-state', 'nobody serves this vault', {
          mend: 'start it with: keepsake serve',
        });
      const url = await requestInvitation(owner, { name, role: options.role });
      print(
        cli,
        `${url}\nshown only now; it opens the vault for ${name}, once, within a week`,
        { url },
        options,
      );
      cli.finish(exitCode.ok);
    });
  const role = vaultCommand('role')
    .summary('give somebody another role; it counts at once')
    .argument('<id>', 'as keepsake people lists it')
    .addArgument(new Argument('<role>', 'what they may do').choices(roles))
    .action(async (id: string, to: Role, _: unknown, called: Command) => {
      await change(cli, called.optsWithGlobals(), id, `now ${to}`, (people, one) => people.setRole(one, to));
      cli.finish(exitCode.ok);
    });
  const remove = vaultCommand('remove')
    .summary('let somebody in no longer; they are out at once')
    .argument('<id>', 'as keepsake people lists it')
    .action(async (id: string, _: unknown, called: Command) => {
      await change(cli, called.optsWithGlobals(), id, 'removed', (people, one) => people.remove(one));
      cli.finish(exitCode.ok);
    });
  for (const each of [invite, role, remove]) command.addCommand(each);
  return examples(command, [
    'people',
    'people invite Ada --role writer',
    'people role 3f2c reader',
    'people remove 3f2c',
  ]);
}

type People = ReturnType<ReturnType<typeof openPeople>>;

/** Somebody by their id, or the beginning of it. */
async function change(
  cli: Cli,
  options: VaultOptions,
  id: string,
  done: string,
  work: (people: People, id: string) => boolean,
): Promise<void> {
  const name = await withKeepsake(cli, options, async (keepsake: Keepsake) => {
    const people = openPeople(keepsake)();
    const [found, another] = people.list().filter((each) => each.id.startsWith(id));
    return found !== undefined && another === undefined && work(people, found.id) ? found.name : null;
  });
  if (name === null)
    throw new AppError('bad-input', `there is nobody with the id ${id}`, { mend: 'see: keepsake people' });
  print(cli, `${name}: ${done}`, { id, name }, options);
}
