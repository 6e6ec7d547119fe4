import type { SecretStore } from '../agents/index.ts';
import type { UpdateQueue } from '../queue/index.ts';
import { z } from 'zod';

const storedSecrets = z.array(
  z.object({ mask: z.string(), kind: z.string(), value: z.string(), context: z.string() }),
);

/** The secrets of accepted updates, which the queue stores. */
export function createSecretStore(queue: UpdateQueue): SecretStore {
  return {
    find(label) {
      const found = queue.findSecrets(label);
      return found && { isKept: found.isKept, secrets: storedSecrets.parse(found.secrets) };
    },
    keep: (label) => queue.keepSecrets(label),
    forget: (label) => queue.forgetSecrets(label),
  };
}
