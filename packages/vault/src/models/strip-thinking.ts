/**
 * Removes thoughts that a model writes as text and its server does not separate: `<think>` blocks, also unclosed ones,
 * and everything before a closing tag whose opening tag is part of the model's template. A tag in quotes or code stays.
 */
export function stripThinking(text: string): string {
  if (!text.includes('<')) return text;
  const rest = text.replaceAll(thoughts, '').replace(endOfThoughts, '');
  return rest.length === text.length ? text : rest.trimStart();
}

/** The same for a text that is still being written: also hides the start of a tag at its end. */
export function stripPartialThinking(text: string): string {
  return stripThinking(text).replace(/<\/?[a-z]{0,9}$/i, '');
}

const thoughts = /(?<![`"'«“])<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>[ \t]*\n*|(?![^]))/gi;

const endOfThoughts = /^[^]*(?<![`"'«“])<\/think(?:ing)?>/i;
