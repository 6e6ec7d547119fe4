/** Also on a page that came without TLS, which has no clipboard of its own. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', give);
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way
  document.execCommand('copy');
  document.removeEventListener('copy', give);
}
