/** From now on this process opens no connection, whatever a document asks of a library. */
export function closeNetwork(): void {
  Object.defineProperty(process.getBuiltinModule('node:net').Socket.prototype, 'connect', {
    value: () => {
      throw new Error('documents are read without the network');
    },
  });
}
