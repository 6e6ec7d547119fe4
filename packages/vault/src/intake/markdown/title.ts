/** Rejects titles that programs generate for untitled documents. */
export function meaningfulTitle(title: string): string | undefined {
  const isMade =
    /^(?:about:.*|untitled|sans titre|document ?\d*|microsoft word - .*|.*\.(?:docx?|indd|tex|dvi|html?))$/i;
  return title === '' || isMade.test(title) ? undefined : title;
}

export function firstHeading(markdown: string): string | undefined {
  const [, text] = /^#{1,2} (.+)$/m.exec(markdown) ?? [];
  return text?.replaceAll(/\\(?=[!-/:-@[-`{-~])|\*\*/g, '');
}
