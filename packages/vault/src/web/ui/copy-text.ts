/** Copies text. Also works on pages without TLS, where the clipboard API is missing. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  copyByCommand({ 'text/plain': text });
}

/** Copies formatted text, with a version for programs that accept plain text only. */
export async function copyFormatted(read: () => Promise<{ html: string; text: string }>): Promise<void> {
  if (!isSecureContext) {
    const { html, text } = await read();
    return copyByCommand({ 'text/html': html, 'text/plain': text });
  }
  // Some browsers accept only what is passed during the click, so the content is passed as a promise.
  const content = read();
  const blob = async (type: string, of: 'html' | 'text'): Promise<Blob> =>
    new Blob([(await content)[of]], { type });
  await navigator.clipboard.write([
    new ClipboardItem({ 'text/html': blob('text/html', 'html'), 'text/plain': blob('text/plain', 'text') }),
  ]);
}

function copyByCommand(contents: Readonly<Record<string, string>>): void {
  const onCopy = (event: ClipboardEvent): void => {
    for (const [type, content] of Object.entries(contents)) event.clipboardData?.setData(type, content);
    event.preventDefault();
  };
  document.addEventListener('copy', onCopy);
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way
  document.execCommand('copy');
  document.removeEventListener('copy', onCopy);
}
