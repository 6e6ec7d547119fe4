/** Makes every later attempt of this process to open a network connection fail, whatever a document asks a library to load. */
export function disableNetwork(): void {
  Object.defineProperty(process.getBuiltinModule('node:net').Socket.prototype, 'connect', {
    value: () => {
      throw new Error('network access is disabled while documents are converted');
    },
  });
}
