import type { Command } from 'commander';

type HasExamples = { examples?: readonly string[] };

/** Stores the examples of a command, which its help and its usage errors show. */
export function storeExamples(command: Command, examples: readonly string[]): void {
  Object.assign(command, { examples } satisfies HasExamples);
}

/** Adds to an error of the argument parser what the command expects: its usage and an example, its subcommands, or the nearest choice. */
export function explainUsageError(command: Command, text: string): string {
  const name = fullName(command);
  if (text.includes('missing required argument'))
    return [text.trimEnd(), `usage: ${name} ${command.usage()}`, ...formatExample(command), ''].join('\n');
  const choice = /'(.*)' is invalid.* Allowed choices are (.*)\.$/m.exec(text);
  if (choice !== null) return suggest(text, choice[1] ?? '', (choice[2] ?? '').split(', '));
  const names = command.commands.map((each) => each.name()).filter((each) => each !== 'help');
  const surplus = /^error: too many arguments.* but got \d+: ([^,\n]*?)[,.\n]/m.exec(text);
  if (surplus === null || names.length === 0) return text;
  const unknown = surplus[1] ?? '';
  const [purpose = ''] = command.description().split('. ', 1);
  const alone =
    command.registeredArguments.length === 0
      ? `; without one: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`
      : '';
  return suggest(
    `error: ${name} has no command ${unknown}; it has ${names.join(', ')}${alone}\n`,
    unknown,
    names,
  );
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function formatExample(command: Command): string[] {
  const [program = ''] = fullName(command).split(' ');
  const own = `${fullName(command).slice(program.length + 1)} `;
  const example = (command as HasExamples).examples?.find((each) => each.startsWith(own));
  return example === undefined ? [] : [`example: ${program} ${example}`];
}

/** Names the choices that start with the word, or are a typo away. */
function suggest(text: string, word: string, choices: readonly string[]): string {
  const near = choices.filter((choice) => choice.startsWith(word) || isTypo(word, choice));
  if (word === '' || near.length === 0) return text;
  return `${text.trimEnd()}\n(Did you mean ${near.length === 1 ? near[0] : `one of ${near.join(', ')}`}?)\n`;
}

/** Whether one character is added, missing or different, or two are exchanged. */
function isTypo(word: string, choice: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === choice[start]) start += 1;
  const [rest, expected] = [word.slice(start), choice.slice(start)];
  const exchanged = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`;
  return (
    rest.slice(1) === expected.slice(1) ||
    rest.slice(1) === expected ||
    rest === expected.slice(1) ||
    exchanged === expected
  );
}
