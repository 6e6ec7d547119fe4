import type { World } from './world.ts';

/** A sentence without information to file. */
export function chatter({ book, random }: Pick<World, 'book' | 'random'>): string {
  const { openings, subjects, remarks, ends } = book.chatter;
  return `${random.pick(openings)} ${random.pick(subjects)} ${random.pick(remarks)}, ${random.pick(ends)}`;
}
