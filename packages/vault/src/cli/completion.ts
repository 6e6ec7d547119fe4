import { Argument, Command } from 'commander';
import { withExamples, rootCommand } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import { quoteForShell } from './quote-for-shell.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof shells)[number];

/**
 * Prints a script that completes commands, options and their choices. The scripts for all shells are generated from
 * the same description of the program, so that they stay consistent.
 */
export function completionCommand(cli: Cli): Command {
  const command = new Command('completion')
    .summary('print a shell completion script')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action((shell: Shell, _: unknown, called: Command) => {
      cli.stdout.write(createCompletionScript(rootCommand(called), shell));
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'completion bash > ~/.local/share/bash-completion/completions/keepsake',
    'completion zsh > ~/.zfunc/_keepsake   # with fpath+=~/.zfunc before compinit in ~/.zshrc',
    'completion fish > ~/.config/fish/completions/keepsake.fish',
    'completion powershell >> $PROFILE',
  ]);
}

export function createCompletionScript(program: Command, shell: Shell): string {
  const places = describe(program, []);
  return { bash, zsh, fish, powershell }[shell](program.name(), places);
}

/** The values that can be completed: a list of choices, a folder, a file, or anything. */
type Value = { kind: 'choices'; choices: readonly string[] } | { kind: 'folder' | 'file' | 'any' };

/** A command and what may follow it. */
type CompletionNode = {
  /** The path of the command below the program, for example `models use`; empty for the program itself. */
  path: string;
  commands: { name: string; about: string }[];
  options: { flags: string[]; about: string; value: Value | null }[];
  parameters: { value: Value; isLast: boolean }[];
};

function describe(command: Command, path: string[]): CompletionNode[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const place: CompletionNode = {
    path: path.join(' '),
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

/** Derives the kind of a value from the name of its parameter. */
function valueOf(name: string, choices: readonly string[] | undefined): Value {
  if (choices !== undefined) return { kind: 'choices', choices };
  if (name.includes('folder')) return { kind: 'folder' };
  return { kind: /file|path|pattern|document|what|^target|^from$|^to$/.test(name) ? 'file' : 'any' };
}

const key = (at: string, word: string): string => quoteForShell(`${at}:${word}`);

/** The arms of a `case` statement that walks over the words typed so far: into a command, or past the value of an option. */
function walkArms(places: CompletionNode[], enter: (at: string) => string, skip: string): string[] {
  return places.flatMap(({ path, commands, options }) => [
    ...commands.map(({ name }) => `${key(path, name)}) ${enter(path === '' ? name : `${path} ${name}`)} ;;`),
    ...caseArm(
      options
        .filter(({ value }) => value !== null)
        .flatMap(({ flags }) => flags.map((flag) => key(path, flag))),
      skip,
    ),
  ]);
}

function caseArm(patterns: string[], body: string): string[] {
  return patterns.length === 0 ? [] : [`${patterns.join('|')}) ${body} ;;`];
}

/** The arms for the values of options, and for arguments by their position. */
function valueArms(places: CompletionNode[], complete: (value: Value) => string | null): string[] {
  return places.flatMap(({ path, options, parameters }) => [
    ...options.flatMap(({ flags, value }) => {
      const body = value === null ? null : complete(value);
      return body === null
        ? []
        : caseArm(
            flags.map((flag) => key(path, flag)),
            body,
          );
    }),
    ...parameters.flatMap(({ value, isLast }, i) => {
      const body = complete(value);
      return body === null
        ? []
        : [`${key(path, String(i))}${isLast ? `|${quoteForShell(`${path}:`)}[0-9]*` : ''}) ${body} ;;`];
    }),
  ]);
}

function indented(lines: string[], by: number): string {
  return lines.map((line) => `${' '.repeat(by)}${line}`).join('\n');
}

/** Uses no feature newer than bash 3.2, the version on macOS. */
function bash(name: string, places: CompletionNode[]): string {
  const words = (list: readonly string[]): string => `words=$'${list.join(String.raw`\n`)}'`;
  const body = (value: Value): string | null => {
    if (value.kind === 'choices') return words(value.choices);
    return { folder: 'files=-d', file: 'files=-f', any: null }[value.kind];
  };
  const next = places.flatMap(({ path, commands }) =>
    commands.length === 0 ? [] : [`${quoteForShell(path)}) ${words(commands.map((below) => below.name))} ;;`],
  );
  const options = places.map(
    ({ path, options: all }) => `${quoteForShell(path)}) ${words(all.flatMap(({ flags }) => flags))} ;;`,
  );
  return `# ${name} for bash; generated by: ${name} completion bash
_${name}() {
  local IFS=$'\\n' cur="\${COMP_WORDS[COMP_CWORD]}" at='' option='' words='' files='' word i position=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at:$word" in
${indented(
  walkArms(
    places,
    (at) => `at=${quoteForShell(at)} position=0`,
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
${indented(valueArms(places, body), 6)}
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

function zsh(name: string, places: CompletionNode[]): string {
  const described = (list: { names: string[]; about: string }[]): string =>
    `offered=(${list.flatMap(({ names, about }) => names.map((each) => quoteForShell(`${each}:${about}`))).join(' ')})`;
  const body = (value: Value): string | null => {
    if (value.kind === 'choices') return `compadd -- ${value.choices.map(quoteForShell).join(' ')}`;
    return { folder: '_files -/', file: '_files', any: null }[value.kind];
  };
  const next = places.flatMap(({ path, commands }) =>
    commands.length === 0
      ? []
      : [
          `${quoteForShell(path)}) ${described(commands.map(({ name: each, about }) => ({ names: [each], about })))} ;;`,
        ],
  );
  const options = places.map(
    ({ path, options: all }) =>
      `${quoteForShell(path)}) ${described(all.map(({ flags, about }) => ({ names: flags, about })))} ;;`,
  );
  return `#compdef ${name}
# ${name} for zsh; generated by: ${name} completion zsh
_${name}() {
  local at='' option='' word
  local -a offered
  integer i position=0
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case "$at:$word" in
${indented(
  walkArms(places, (at) => `at=${quoteForShell(at)} position=0`, 'option="$at:$word"; ((i++))'),
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
${indented(valueArms(places, body), 4)}
  esac
}
if [[ "$funcstack[1]" == '_${name}' ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function fish(name: string, places: CompletionNode[]): string {
  const say = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  const body = (value: Value): string => {
    if (value.kind === 'choices') return `-f -a ${say(value.choices.join(' '))}`;
    return { folder: `-f -a '(__fish_complete_directories)'`, file: '-F', any: '-f' }[value.kind];
  };
  const walk = places.flatMap(({ path, commands, options }) => [
    ...commands.flatMap(({ name: each }) => [
      `case ${say(`${path}:${each}`)}`,
      `    set at ${say(path === '' ? each : `${path} ${each}`)}`,
    ]),
    ...options
      .filter(({ value }) => value !== null)
      .flatMap(({ flags }) => [
        `case ${flags.map((flag) => say(`${path}:${flag}`)).join(' ')}`,
        '    set skip 1',
      ]),
  ]);
  const lines = places.flatMap(({ path, commands, options, parameters }) => {
    const here = `complete -c ${name} -n "__${name}_at ${say(path)}"`;
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
  return `# ${name} for fish; generated by: ${name} completion fish
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

/** Files and folders are completed by PowerShell itself, which does so if nothing is offered. */
function powershell(name: string, places: CompletionNode[]): string {
  const say = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const list = (items: readonly string[]): string => `@(${items.join(', ')})`;
  const choicesOf = (value: Value | null): string =>
    value === null ? '$null' : list(value.kind === 'choices' ? value.choices.map(say) : []);
  const table = places.map(({ path, commands, options, parameters }) => {
    const words = commands.map((below) => `${say(below.name)} = ${say(below.about)}`);
    const flags = options.flatMap(({ flags: each, about, value }) =>
      each.map((flag) => `${say(flag)} = @{ about = ${say(about)}; choices = ${choicesOf(value)} }`),
    );
    const values = parameters.map(({ value }) => `,${choicesOf(value)}`);
    return [
      `${say(path)} = @{`,
      `  commands = [ordered]@{ ${words.join('; ')} }`,
      `  options = [ordered]@{ ${flags.join('; ')} }`,
      `  parameters = ${list(values)}`,
      '}',
    ].join('\n');
  });
  return `# ${name} for PowerShell; generated by: ${name} completion powershell
Register-ArgumentCompleter -Native -CommandName ${name} -ScriptBlock {
  param($word, $tree, $cursor)
  $places = @{
${indented(
  table.flatMap((place) => place.split('\n')),
  4,
)}
  }
  $before = @($tree.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  $at = ''; $option = $null; $position = 0
  foreach ($each in $before) {
    $place = $places[$at]
    $below = "$at $each".Trim()
    if ($null -ne $option) { $option = $null }
    elseif ($place.options.Contains($each)) { if ($null -ne $place.options[$each].choices) { $option = $each } }
    elseif ($places.ContainsKey($below)) { $at = $below; $position = 0 }
    elseif (-not $each.StartsWith('-')) { $position++ }
  }
  $place = $places[$at]
  $offered = [ordered]@{}
  if ($null -ne $option) { foreach ($each in $place.options[$option].choices) { $offered[$each] = $each } }
  elseif ($word.StartsWith('-')) { foreach ($each in $place.options.Keys) { $offered[$each] = $place.options[$each].about } }
  else {
    if ($position -eq 0) { foreach ($each in $place.commands.Keys) { $offered[$each] = $place.commands[$each] } }
    if ($position -lt $place.parameters.Count) { foreach ($each in $place.parameters[$position]) { $offered[$each] = $each } }
  }
  foreach ($each in $offered.Keys) {
    if ($each.StartsWith($word)) {
      [System.Management.Automation.CompletionResult]::new($each, $each, 'ParameterValue', [string]$offered[$each])
    }
  }
}
`;
}
