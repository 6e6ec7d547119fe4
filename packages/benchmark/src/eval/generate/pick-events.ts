import { addTask, canChangeFact, finishTask, moveTask, stateFact } from './events.ts';
import type { VaultEvent, EventDates } from './events.ts';
import type { Project, Fact, Task, World } from './world.ts';

/** The facts of the given kinds that can change. */
export function changeableFacts(
  projects: readonly Project[],
  kinds: readonly Fact['kind'][],
  moment: EventDates,
): Fact[] {
  const slots = projects.flatMap((project) => project.slots);
  return slots.filter((slot) => kinds.includes(slot.kind) && canChangeFact(slot, moment));
}

export const allFactKinds = ['figure', 'meeting', 'contact', 'choice'] as const;

/** States several new facts about one project. */
export function stateFacts(world: World, project: Project, count: number, moment: EventDates): VaultEvent[] {
  const slots = world.random.shuffled(changeableFacts([project], allFactKinds, moment));
  return slots.slice(0, count).map((slot) => stateFact(world, slot, moment));
}

/** Picks one or more events, never two about the same fact. */
export function pickEvents(
  world: World,
  count: number,
  moment: EventDates,
  used: readonly Fact[] = [],
): VaultEvent[] {
  const spoken = new Set<Fact | Task>(used);
  return Array.from({ length: count }, () => pickEvent(world, moment, spoken));
}

function pickEvent(world: World, moment: EventDates, spoken: Set<Fact | Task>): VaultEvent {
  const { random, activeProjects } = world;
  const owners = [...activeProjects, null];
  const tasks = (): Task[] => [...activeProjects.flatMap((project) => project.tasks), ...world.tasks];
  const open = tasks().filter((task) => task.state === 'open' && !spoken.has(task));
  const own = world.own.filter((slot) => !spoken.has(slot) && canChangeFact(slot, moment));
  const once = <Thing extends Fact | Task>(thing: Thing): Thing => {
    spoken.add(thing);
    return thing;
  };
  const ready = owners.filter((owner) => (owner ?? world).unusedTasks.length > 0);
  const movable = open.filter(({ outdated, deadline }) => outdated.length < 2 && deadline > moment.today);
  const chance = random.between(1, 100);
  if (chance <= 16 && ready.length > 0) {
    const happening = addTask(world, random.pick(ready), moment);
    for (const task of tasks()) if (task.added === moment.today) spoken.add(task);
    return happening;
  }
  if (chance <= 26 && open.length > 0) return finishTask(world, once(random.pick(open)));
  if (chance <= 32 && movable.length > 0) return moveTask(world, once(random.pick(movable)), moment);
  if (chance <= 38 && own.length > 0) return stateFact(world, once(random.pick(own)), moment);
  const slots = changeableFacts(activeProjects, allFactKinds, moment);
  const slot = once(random.pick(slots.filter((each) => !spoken.has(each))));
  return stateFact(world, slot, moment, slot.kind === 'figure' && slot.value !== null && random.chance(0.3));
}
