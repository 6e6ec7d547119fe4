import { Argument, Command } from 'commander';
import { examples, rootOf } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import { inQuotes } from './in-quotes.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/**
 * Prints a script that completes commands, options and their choices, made from the program it belongs to.
 * Three scripts from one description are long; apart they would drift.
 */
export function completionCommand(cli: Cli): Command {
  const command = new Command('completion')
    .summary('print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .action((shell: Shell, _: unknown, called: Command) => {
      cli.stdout.write(completionScript(rootOf(called), shell));
      cli.finish(exitCode.ok);
    });
  return examples(command, [
    'completion bash > ~/.local/share/bash-completion/completions/keepsake',
    'completion zsh > ~/.zfunc/_keepsake   # with fpath+=~/.zfunc before compinit in ~/.zshrc',
    'completion fish > ~/.config/fish/completions/keepsake.fish',
  ]);
}

export function completionScript(program: Command, shell: Shell): string {
  const places = describe(program, []);
  return { bash, zsh, fish }[shell](program.name(), places);
}

/** What a value may be: one of some words, a folder, a file, or anything. */
type Value = { kind: 'choices'; choices: readonly string[] } | { kind: 'folder' | 'file' | 'any' };

/** A command, and what may follow it. */
type Place = {
  /** Names from the program down, as `models use`; empty for the program itself. */
  at: string;
  commands: { name: string; about: string }[];
  options: { flags: string[]; about: string; value: Value | null }[];
  parameters: { value: Value; isLast: boolean }[];
};

function describe(command: Command, path: string[]): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const place: Place = {
    at: path.join(' '),
    commands: commands.flatMap((below) =>
      namesOf(below).map((name) => ({ name, about: help.subcommandDescription(below) })),
    ),
    options: help.visibleOptions(command).map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      about: option.description,
      value: option.required || option.optional ? valueOf(option.flags, option.argChoices) : null,
    })),
    parameters: command.registeredArguments.map((argument) => ({
      value: valueOf(argument.name(), argument.argChoices),
      isLast: argument.variadic,
    })),
  };
  return [
    place,
    ...commands.flatMap((below) => namesOf(below).flatMap((name) => describe(below, [...path, name]))),
  ];
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

/** Names of parameters say what they stand for. */
function valueOf(name: string, choices: readonly string[] | undefined): Value {
  if (choices !== undefined) return { kind: 'choices', choices };
  if (name.includes('folder')) return { kind: 'folder' };
  return { kind: /file|path|document|what/.test(name) ? 'file' : 'any' };
}

const key = (at: string, word: string): string => inQuotes(`${at}:${word}`);

/** Arms of a `case` that walk over the words typed so far: into a command, or over the value of an option. */
function steps(places: Place[], enter: (at: string) => string, skip: string): string[] {
  return places.flatMap(({ at, commands, options }) => [
    ...commands.map(({ name }) => `${key(at, name)}) ${enter(at === '' ? name : `${at} ${name}`)} ;;`),
    ...arm(
      options
        .filter(({ value }) => value !== null)
        .flatMap(({ flags }) => flags.map((flag) => key(at, flag))),
      skip,
    ),
  ]);
}

function arm(patterns: string[], body: string): string[] {
  return patterns.length === 0 ? [] : [`${patterns.join('|')}) ${body} ;;`];
}

/** Arms for the values of options, and for parameters by their position. */
function values(places: Place[], complete: (value: Value) => string | null): string[] {
  return places.flatMap(({ at, options, parameters }) => [
    ...options.flatMap(({ flags, value }) => {
      const body = value === null ? null : complete(value);
      return body === null
        ? []
        : arm(
            flags.map((flag) => key(at, flag)),
            body,
          );
    }),
    ...parameters.flatMap(({ value, isLast }, i) => {
      const body = complete(value);
      return body === null
        ? []
        : [`${key(at, String(i))}${isLast ? `|${inQuotes(`${at}:`)}[0-9]*` : ''}) ${body} ;;`];
    }),
  ]);
}

function indented(lines: string[], by: number): string {
  return lines.map((line) => `${' '.repeat(by)}${line}`).join('\n');
}

/** Nothing newer than bash 3.2, which macOS has. */
function bash(name: string, places: Place[]): string {
  const words = (list: readonly string[]): string => `words=$'${list.join(String.raw`\n`)}'`;
  const body = (value: Value): string | null => {
    if (value.kind === 'choices') return words(value.choices);
    return { folder: 'files=-d', file: 'files=-f', any: null }[value.kind];
  };
  const next = places.flatMap(({ at, commands }) =>
    commands.length === 0 ? [] : [`${inQuotes(at)}) ${words(commands.map((below) => below.name))} ;;`],
  );
  const options = places.map(
    ({ at, options: all }) => `${inQuotes(at)}) ${words(all.flatMap(({ flags }) => flags))} ;;`,
  );
  return `# ${name} in bash; made by: ${name} completion bash
_${name}() {
  local IFS=$'\\n' cur="\${COMP_WORDS[COMP_CWORD]}" at='' option='' words='' files='' word i position=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at:$word" in
${indented(
  steps(
    places,
    (at) => `at=${inQuotes(at)} position=0`,
    `option="$at:$word" i=$((i + 1)); [[ "\${COMP_WORDS[i]}" == '=' ]] && i=$((i + 1))`,
  ),
  6,
)}
      *:-*) ;;
      *) position=$((position + 1)) ;;
    esac
  done
  [[ "$cur" == '=' ]] && cur=''
  if ((i <= COMP_CWORD)) && [[ "$cur" == -* ]]; then
    case "$at" in
${indented(options, 6)}
    esac
  else
    if ((i <= COMP_CWORD)); then
      option="$at:$position"
      ((position == 0)) && case "$at" in
${indented(next, 8)}
      esac
    fi
    case "$option" in
${indented(values(places, body), 6)}
    esac
  fi
  COMPREPLY=()
  if [[ -n "$files" ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$files" -- "$cur"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _${name} ${name}
`;
}

function zsh(name: string, places: Place[]): string {
  const described = (list: { names: string[]; about: string }[]): string =>
    `offered=(${list.flatMap(({ names, about }) => names.map((each) => inQuotes(`${each}:${about}`))).join(' ')})`;
  const body = (value: Value): string | null => {
    if (value.kind === 'choices') return `compadd -- ${value.choices.map(inQuotes).join(' ')}`;
    return { folder: '_files -/', file: '_files', any: null }[value.kind];
  };
  const next = places.flatMap(({ at, commands }) =>
    commands.length === 0
      ? []
      : [
          `${inQuotes(at)}) ${described(commands.map(({ name: each, about }) => ({ names: [each], about })))} ;;`,
        ],
  );
  const options = places.map(
    ({ at, options: all }) =>
      `${inQuotes(at)}) ${described(all.map(({ flags, about }) => ({ names: flags, about })))} ;;`,
  );
  return `#compdef ${name}
# ${name} in zsh; made by: ${name} completion zsh
_${name}() {
  local at='' option='' word
  local -a offered
  integer i position=0
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case "$at:$word" in
${indented(
  steps(places, (at) => `at=${inQuotes(at)} position=0`, 'option="$at:$word"; ((i++))'),
  6,
)}
      *:-*) ;;
      *) ((position++)) ;;
    esac
  done
  if ((i <= CURRENT)) && [[ $words[CURRENT] == -* ]]; then
    case "$at" in
${indented(options, 6)}
    esac
    _describe -o option offered
    return
  fi
  if ((i <= CURRENT)); then
    option="$at:$position"
    if ((position == 0)); then
      case "$at" in
${indented(next, 8)}
      esac
      ((\${#offered})) && _describe command offered
    fi
  fi
  case "$option" in
${indented(values(places, body), 4)}
  esac
}
if [[ "$funcstack[1]" == '_${name}' ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function fish(name: string, places: Place[]): string {
  const say = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  const body = (value: Value): string => {
    if (value.kind === 'choices') return `-f -a ${say(value.choices.join(' '))}`;
    return { folder: `-f -a '(__fish_complete_directories)'`, file: '-F', any: '-f' }[value.kind];
  };
  const walk = places.flatMap(({ at, commands, options }) => [
    ...commands.flatMap(({ name: each }) => [
      `case ${say(`${at}:${each}`)}`,
      `    set at ${say(at === '' ? each : `${at} ${each}`)}`,
    ]),
    ...options
      .filter(({ value }) => value !== null)
      .flatMap(({ flags }) => [
        `case ${flags.map((flag) => say(`${at}:${flag}`)).join(' ')}`,
        '    set skip 1',
      ]),
  ]);
  const lines = places.flatMap(({ at, commands, options, parameters }) => {
    const here = `complete -c ${name} -n "__${name}_at ${say(at)}"`;
    return [
      ...commands.map(({ name: each, about }) => `${here} -f -a ${each} -d ${say(about)}`),
      ...options.map(({ flags, about, value }) => {
        const names = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        );
        return `${here} ${names.join(' ')}${value === null ? '' : ` -r ${body(value)}`} -d ${say(about)}`;
      }),
      ...parameters.filter(({ value }) => value.kind !== 'any').map(({ value }) => `${here} ${body(value)}`),
    ];
  });
  return `# ${name} in fish; made by: ${name} completion fish
function __${name}_at
    set -l at ''
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch "$at:$word"
${indented(walk, 12)}
        end
    end
    test "$at" = "$argv[1]"
end
complete -c ${name} -f
${lines.join('\n')}
`;
}
