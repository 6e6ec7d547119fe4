import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import { temporaryFolder } from './temporary-vault.ts';

const data = 'packages/benchmark/data';

/** Questions about subjects that the bundled vault does not have, in its two languages. */
const unrelated = [
  'How do glaciers carve valleys?',
  'Which instrument has forty-seven strings?',
  'Who painted the ceiling of the chapel?',
  'What is the melting temperature of tungsten?',
  'Why do cats purr at night?',
  'How far away is the nearest galaxy?',
  'When was the printing press invented?',
  'Which river crosses the most borders?',
  'What do penguins eat in winter?',
  'How is parmesan aged?',
  'Who wrote the first detective novel?',
  'What causes thunder without rain?',
  'How many bones does a shark have?',
  'Which planet rotates backwards?',
  'Why is the sea salty?',
  'How do submarines dive?',
  'What is a leap second?',
  'Where do eels spawn?',
  'Which metal is liquid at room temperature?',
  'How fast does a falcon fly?',
  'Pourquoi les flamants sont-ils roses ?',
  'Qui a inventé le thermomètre à mercure ?',
  'Comment naissent les cyclones tropicaux ?',
  'Quelle est la capitale de la Mongolie ?',
  'À quelle vitesse tourne un pulsar ?',
  'Combien de pattes a une scolopendre ?',
  'Pourquoi le ciel rougit-il au crépuscule ?',
  'Quel peintre a coupé son oreille ?',
  'Comment les abeilles fabriquent-elles la propolis ?',
  'Où se cache le trésor des templiers ?',
  'Quand les dinosaures ont-ils disparu ?',
  'Quel fleuve traverse Bagdad ?',
  'Comment fond-on une cloche en bronze ?',
  'Pourquoi les marées sont-elles décalées ?',
  'Qui gouvernait Carthage ?',
  'Quelle espèce de requin dort debout ?',
  'Comment se forme une stalactite ?',
  'Combien pèse un neutron ?',
  'Quel opéra se passe à Nagasaki ?',
  'Comment dresse-t-on un faucon ?',
];

async function shareThatFitsNothing(queries: readonly string[]): Promise<number> {
  const vault = temporaryFolder();
  cpSync(join(data, 'own/vault'), vault, { recursive: true });
  const environment = readEnvironment({ HOME: temporaryFolder(), PATH: process.env['PATH'] });
  const keepsake = await openKeepsake({ vault, state: temporaryFolder(), environment });
  onTestFinished(async () => void (await keepsake.close()));
  await keepsake.search.prepare('fast');
  await keepsake.search.indexDocuments({ signal: new AbortController().signal });
  let count = 0;
  for (const query of queries) {
    const found = await keepsake.readRun('person').search({ queries: [query], mode: 'fast' });
    if (found.kind === 'found' && (!found.fits || found.passages.length === 0)) count += 1;
  }
  return count / queries.length;
}

const questionsOf = (set: string): string[] =>
  readFileSync(join(data, set, 'queries.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { query: string | string[] })
    .flatMap(({ query }) => (typeof query === 'string' ? [query] : []));

describe('the line that nothing fits', () => {
  it('is rare for questions that the vault answers', async () => {
    expect(await shareThatFitsNothing(questionsOf('own'))).toBeLessThan(0.02);
  });

  it('is usual for questions about something else', async () => {
    expect(await shareThatFitsNothing(unrelated)).toBeGreaterThan(0.8);
    expect(await shareThatFitsNothing(questionsOf('paraphrase'))).toBeGreaterThan(0.7);
  });
});
