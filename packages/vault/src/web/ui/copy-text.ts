/** Copies text. Also works on pages without TLS, where the clipboard API is missing. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', onCopy);
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way
  document.execCommand('copy');
  document.removeEventListener('copy', onCopy);
}
