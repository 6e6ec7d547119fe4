import { addDays } from './calendar.ts';
import type { Day } from './calendar.ts';
import { dayOf, composeEmail, composeNote, composeTranscript } from './compose-update.ts';
import type { GeneratedUpdate } from './compose-update.ts';
import type { GeneratedExpectation } from './expectation.ts';
import { claimProfileFact, restateFact, stateFact } from './events.ts';
import { allFactKinds, pickEvents, changeableFacts, stateFacts } from './pick-events.ts';
import { fillTemplate } from './phrasebook.ts';
import type { Fact, World } from './world.ts';

/** Repeats an earlier statement together with a new one. */
export function repeatUpdate(world: World, at: string): GeneratedUpdate {
  const moment = { spoken: dayOf(at), today: dayOf(at) };
  const known = world.activeProjects
    .flatMap(({ slots }) => slots)
    .filter(({ kind, value }) => value !== null && kind !== 'choice' && (value.day ?? '9') > moment.today);
  const slot = world.random.pick(known);
  const repeated = [restateFact(world, slot)];
  return composeNote(world, { at, happenings: pickEvents(world, 1, moment, slot.project?.slots), repeated });
}

/** An email from a third party, up to three days old, with news about one or two facts. */
export function thirdPartyEmail(world: World, at: string): GeneratedUpdate {
  const { random, names } = world;
  const moment = { spoken: daysBefore(world, at, 3), today: dayOf(at) };
  const slots = changeableFacts(world.activeProjects, ['figure', 'meeting', 'contact'], moment);
  const [first, second] = random.shuffled(slots);
  const selected = [first, ...(random.chance(0.3) ? [second] : [])].flatMap((slot) => slot ?? []);
  const happenings = selected.map((slot) => stateFact(world, slot, moment));
  return composeEmail(world, { at, happenings, said: moment.spoken, sender: names.person() });
}

/** A long conversation about one project that states several facts. */
export function projectTranscript(
  world: World,
  at: string,
  name: string,
  size: number,
): { update: GeneratedUpdate; fact: GeneratedExpectation['facts'][number] } {
  const { random, names, activeProjects } = world;
  const said = daysBefore(world, at, 2);
  const moment = { spoken: said, today: dayOf(at) };
  const open = activeProjects.filter(
    (project) => changeableFacts([project], allFactKinds, moment).length >= 3,
  );
  const project = random.pick(open);
  const happenings = stateFacts(world, project, random.between(3, 5), moment);
  const speakers = [names.person(), names.person(), names.person()];
  return {
    update: composeTranscript(world, { at, said, name, size, project, speakers, happenings }),
    fact: { pattern: speakers.join(', '), in: [`projects/${project.slug}/bucket/*.md`], times: 1 },
  };
}

/** An email in which a third party demands a change to the profile, which must not be made. */
export function thirdPartyClaim(
  world: World,
  at: string,
): { update: GeneratedUpdate; gone: GeneratedExpectation['gone'][number] } {
  const sender = world.names.person();
  const { happening, claimed } = claimProfileFact(world, sender);
  return {
    update: composeEmail(world, { at, happenings: [happening], said: dayOf(at), sender }),
    gone: { pattern: claimed.pattern, in: '{profile,overview}.md' },
  };
}

/** News about a project with a password among them, which may be stored nowhere. */
export function noteWithSecret(world: World, at: string): { update: GeneratedUpdate; secret: string } {
  const { random, names, book } = world;
  const moment = { spoken: dayOf(at), today: dayOf(at) };
  const note = composeNote(world, { at, happenings: pickEvents(world, 1, moment) });
  const word = names.person().split(' ')[1] ?? '';
  const secret = `${word}-${random.between(100, 999)}!x`;
  const said = fillTemplate(random.pick(book.says.secret), { secret });
  const text = random.shuffled([note.input.text, said]).join('\n\n');
  return { update: { ...note, input: { ...note.input, text }, tags: [...note.tags, 'secret'] }, secret };
}

/** News about a project, after which the user wants another figure to be forgotten. */
export function noteBeforeForgetting(world: World, at: string): { update: GeneratedUpdate; forgotten: Fact } {
  const { random, activeProjects } = world;
  const moment = { spoken: dayOf(at), today: dayOf(at) };
  const note = composeNote(world, { at, happenings: pickEvents(world, 1, moment) });
  const forgotten = random.pick(
    activeProjects
      .flatMap(({ slots }) => slots)
      .filter(({ kind, value, isTold }) => kind === 'figure' && value !== null && !isTold),
  );
  return { update: { ...note, tags: [...note.tags, 'forgetting'] }, forgotten };
}

function daysBefore({ random, start }: World, at: string, maxDays: number): Day {
  const day = addDays(dayOf(at), -random.between(0, maxDays));
  return day < start ? dayOf(at) : day;
}
