/** A program and its arguments for `spawn`. */
type Invocation = { program: string; args: string[]; isVerbatim: boolean };

/**
 * How to start a file. Windows starts scripts (`.cmd`) only through its command interpreter, which reads the arguments
 * twice: once for the call, and once for the line of the script that passes them on.
 */
export function toInvocation(file: string, args: readonly string[], interpreter = 'cmd.exe'): Invocation {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { program: file, args: [...args], isVerbatim: false };
  const line = [escapeMeta(file), ...args.map((arg) => escapeMeta(escapeMeta(quoteArgument(arg))))].join(' ');
  return { program: interpreter, args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

/** Quotes an argument as the C runtime of Windows reads it. */
function quoteArgument(argument: string): string {
  const escaped = argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1');
  return `"${escaped}"`;
}

function escapeMeta(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
