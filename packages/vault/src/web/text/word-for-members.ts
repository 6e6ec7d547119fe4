import type { Text } from './en.ts';

/**
 * The texts for invited members. A change without the name of a person is one of the owner of the machine, who is "you" only to
 * themselves.
 */
export function wordForMembers(text: Text): Text {
  const { owner, who, subject } = text.changes;
  return {
    ...text,
    changes: {
      ...text.changes,
      who: { ...who, person: owner.who },
      subject: { ...subject, person: owner.subject },
    },
  };
}
