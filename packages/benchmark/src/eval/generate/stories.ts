import { addTask, canChange, finishTask, moveTask, tellSlot } from './happenings.ts';
import type { Happening, Moment } from './happenings.ts';
import type { Project, Slot, Task, World } from './world.ts';

/** Things that can be told something new of, those of some kinds. */
export function tellableSlots(
  projects: readonly Project[],
  kinds: readonly Slot['kind'][],
  moment: Moment,
): Slot[] {
  const slots = projects.flatMap((project) => project.slots);
  return slots.filter((slot) => kinds.includes(slot.kind) && canChange(slot, moment));
}

export const everyKind = ['figure', 'meeting', 'contact', 'choice'] as const;

/** Several new things about one project. */
export function tellSlots(world: World, project: Project, count: number, moment: Moment): Happening[] {
  const slots = world.random.shuffled(tellableSlots([project], everyKind, moment));
  return slots.slice(0, count).map((slot) => tellSlot(world, slot, moment));
}

/** Several things, or one, and never two of the same thing at once. */
export function happenMany(
  world: World,
  count: number,
  moment: Moment,
  used: readonly Slot[] = [],
): Happening[] {
  const spoken = new Set<Slot | Task>(used);
  return Array.from({ length: count }, () => happenAnything(world, moment, spoken));
}

function happenAnything(world: World, moment: Moment, spoken: Set<Slot | Task>): Happening {
  const { random, live } = world;
  const owners = [...live, null];
  const tasks = (): Task[] => [...live.flatMap((project) => project.tasks), ...world.tasks];
  const open = tasks().filter((task) => task.state === 'open' && !spoken.has(task));
  const own = world.own.filter((slot) => !spoken.has(slot) && canChange(slot, moment));
  const once = <Thing extends Slot | Task>(thing: Thing): Thing => {
    spoken.add(thing);
    return thing;
  };
  const ready = owners.filter((owner) => (owner ?? world).spare.length > 0);
  const movable = open.filter(({ outdated, deadline }) => outdated.length < 2 && deadline > moment.today);
  const chance = random.between(1, 100);
  if (chance <= 16 && ready.length > 0) {
    const happening = addTask(world, random.pick(ready), moment);
    for (const task of tasks()) if (task.added === moment.today) spoken.add(task);
    return happening;
  }
  if (chance <= 26 && open.length > 0) return finishTask(world, once(random.pick(open)));
  if (chance <= 32 && movable.length > 0) return moveTask(world, once(random.pick(movable)), moment);
  if (chance <= 38 && own.length > 0) return tellSlot(world, once(random.pick(own)), moment);
  const slots = tellableSlots(live, everyKind, moment);
  const slot = once(random.pick(slots.filter((each) => !spoken.has(each))));
  return tellSlot(world, slot, moment, slot.kind === 'figure' && slot.value !== null && random.chance(0.3));
}
