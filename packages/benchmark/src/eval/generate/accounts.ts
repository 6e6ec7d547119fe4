import { addDays } from './calendar.ts';
import type { Day } from './calendar.ts';
import { dayOf, mailUpdate, noteUpdate, transcriptUpdate } from './compose.ts';
import type { GeneratedUpdate } from './compose.ts';
import type { GeneratedExpectation } from './expectation.ts';
import { claimOwn, repeatSlot, tellSlot } from './happenings.ts';
import { everyKind, happenMany, tellableSlots, tellSlots } from './stories.ts';
import type { World } from './world.ts';

/** Something told before is told again, beside something new. */
export function repeating(world: World, at: string): GeneratedUpdate {
  const moment = { spoken: dayOf(at), today: dayOf(at) };
  const known = world.live
    .flatMap(({ slots }) => slots)
    .filter(({ kind, value }) => value !== null && kind !== 'choice' && (value.day ?? '9') > moment.today);
  const slot = world.random.pick(known);
  const repeated = [repeatSlot(world, slot)];
  return noteUpdate(world, { at, happenings: happenMany(world, 1, moment, slot.project?.slots), repeated });
}

/** News about one or two things, from somebody else, some days old. */
export function mailOfOthers(world: World, at: string): GeneratedUpdate {
  const { random, names } = world;
  const moment = { spoken: daysBefore(world, at, 3), today: dayOf(at) };
  const slots = tellableSlots(world.live, ['figure', 'meeting', 'contact'], moment);
  const [first, second] = random.shuffled(slots);
  const chosen = [first, ...(random.chance(0.3) ? [second] : [])].flatMap((slot) => slot ?? []);
  const happenings = chosen.map((slot) => tellSlot(world, slot, moment));
  return mailUpdate(world, { at, happenings, said: moment.spoken, sender: names.person() });
}

/** A long conversation about one project in which several things come up. */
export function talkAbout(
  world: World,
  at: string,
  name: string,
  size: number,
): { update: GeneratedUpdate; fact: GeneratedExpectation['facts'][number] } {
  const { random, names, live } = world;
  const said = daysBefore(world, at, 2);
  const moment = { spoken: said, today: dayOf(at) };
  const open = live.filter((project) => tellableSlots([project], everyKind, moment).length >= 3);
  const project = random.pick(open);
  const happenings = tellSlots(world, project, random.between(3, 5), moment);
  const speakers = [names.person(), names.person(), names.person()];
  return {
    update: transcriptUpdate(world, { at, said, name, size, project, speakers, happenings }),
    fact: { pattern: speakers.join(', '), in: [`projects/${project.slug}/bucket/*.md`], times: 1 },
  };
}

/** Somebody else wants the profile changed. What they want must not be there afterwards. */
export function claimOfOthers(
  world: World,
  at: string,
): { update: GeneratedUpdate; gone: GeneratedExpectation['gone'][number] } {
  const sender = world.names.person();
  const { happening, claimed } = claimOwn(world, sender);
  return {
    update: mailUpdate(world, { at, happenings: [happening], said: dayOf(at), sender }),
    gone: { pattern: claimed.pattern, in: '{profile,overview}.md' },
  };
}

function daysBefore({ random, start }: World, at: string, most: number): Day {
  const day = addDays(dayOf(at), -random.between(0, most));
  return day < start ? dayOf(at) : day;
}
