import type { Files } from '../temporary-vault.ts';

type PlantedKind = 'done' | 'contradiction' | 'duplicate';

/** Something that tidying should find: the line to change, and the line that says so. */
export type Planted = { kind: PlantedKind; project: string; target: string; evidence: string };

type Row = [target: string, evidence: string, day?: string];
type Project = {
  done: Row[];
  contradiction: Row[];
  duplicate: Row[];
  /** Tasks, entries and facts that are fine, some with words of the planted ones. */
  tasks: string[];
  entries: [heading: string, day: string][];
  facts: string[];
};

const projects: Record<string, Project> = {
  house: {
    done: [
      ['Order the terrace tiles', 'The tiles for the terrace were ordered at Leroy', '2026-11-09'],
      [
        'Get three quotes for the roof insulation',
        'Roof insulation: three quotes received, Duval is cheapest',
        '2026-11-05',
      ],
      [
        'Cancel the old electricity contract',
        'The electricity contract with the old supplier is cancelled',
        '2026-10-28',
      ],
    ],
    contradiction: [
      ['The kitchen budget is 12,000 euros.', 'Kitchen budget raised to 15,000 euros', '2026-11-02'],
      ['The roofers start on 12 January.', 'The roofers start on 2 February instead', '2026-11-12'],
    ],
    duplicate: [
      [
        'Call the chimney sweep for the yearly inspection',
        'Book the yearly inspection with the chimney sweep',
      ],
      ['Buy white paint for the hallway', 'Hallway: buy paint (white)'],
    ],
    tasks: [
      'Order the tiles for the bathroom',
      'Ask the neighbours about the hedge',
      'Measure the windows of the attic',
      'Choose the handles for the kitchen doors',
      'Repair the lock of the garden shed',
    ],
    entries: [
      ['Plasterer finished the ground floor', '2026-10-20'],
      ['Water meter read: 482', '2026-10-14'],
      ['Visited two kitchen showrooms', '2026-10-11'],
      ['Neighbours agree to a wooden fence', '2026-09-30'],
    ],
    facts: ['The ground floor is finished.', 'The heating is from 2019.', 'Duval does the roof.'],
  },
  bakery: {
    done: [
      ['Send the quarterly VAT return', 'VAT return of the third quarter sent', '2026-10-19'],
      ['Hire a second baker for weekends', 'Hired Samira as second baker for the weekends', '2026-11-03'],
    ],
    contradiction: [
      ['The shop closes at 18:00 on Saturdays.', 'On Saturdays the shop now closes at 19:30', '2026-11-01'],
      [
        'Flour comes from Moulins Perrin.',
        'Changed the flour supplier: now Minoterie Roux, no longer Perrin',
        '2026-10-30',
      ],
      ['The oven lease ends in March 2027.', 'Oven lease extended to September 2028', '2026-11-10'],
    ],
    duplicate: [
      ['Renew the hygiene certificate before December', 'Hygiene certificate: renew it before December'],
      ['Design the poster for the Christmas cake orders', 'Christmas cake orders: design a poster'],
    ],
    tasks: [
      'Find a supplier for paper bags',
      'Try the sourdough with rye',
      'Repair the card reader',
      'Plan the opening hours for Easter',
      'Send the payslips of November',
    ],
    entries: [
      ['Tasting with the school: 40 children', '2026-10-22'],
      ['New display case delivered', '2026-10-15'],
      ['Price of butter up by 8 percent', '2026-10-08'],
      ['The oven was serviced', '2026-09-28'],
    ],
    facts: ['Two bakers work on weekdays.', 'The rent is 1,450 euros a month.', 'The oven is a Bongard.'],
  },
  association: {
    done: [
      [
        'Réserver la salle des fêtes pour le gala',
        'La salle des fêtes est réservée pour le gala',
        '2026-11-06',
      ],
      [
        'Envoyer les convocations de l’assemblée générale',
        'Convocations de l’assemblée générale envoyées aux adhérents',
        '2026-11-11',
      ],
      [
        'Déposer la demande de subvention à la mairie',
        'Demande de subvention déposée à la mairie',
        '2026-10-21',
      ],
    ],
    contradiction: [
      ['La cotisation annuelle est de 25 euros.', 'Cotisation annuelle portée à 30 euros', '2026-11-04'],
      [
        'La trésorière est Hélène Marchand.',
        'Nouvelle trésorière élue : Inès Caron remplace Hélène Marchand',
        '2026-11-08',
      ],
      ['L’association compte 84 adhérents.', 'L’association compte maintenant 97 adhérents', '2026-11-13'],
    ],
    duplicate: [
      ['Commander les t-shirts des bénévoles', 'Bénévoles : commander les t-shirts'],
      ['Mettre à jour les statuts sur le site', 'Site : mettre à jour les statuts de l’association'],
      ['Louer une sono pour le gala', 'Trouver une sono à louer pour le gala'],
    ],
    tasks: [
      'Préparer le discours du gala',
      'Relancer les adhérents en retard',
      'Imprimer les affiches',
      'Trouver un photographe',
      'Réserver la salle de réunion de janvier',
    ],
    entries: [
      ['Stand au forum des associations', '2026-09-12'],
      ['Don de 200 euros de la boulangerie', '2026-10-02'],
      ['Réunion du bureau, budget voté', '2026-10-16'],
      ['Assurance renouvelée', '2026-09-25'],
    ],
    facts: ['Le siège est au 4 rue des Lilas.', 'Le bureau a cinq membres.', 'Le gala a lieu chaque année.'],
  },
  novel: {
    done: [
      ['Send chapter four to the editor', 'Chapter four went to the editor', '2026-10-26'],
      ['Ask Paul to read the prologue', 'Paul read the prologue and likes it', '2026-11-07'],
    ],
    contradiction: [
      [
        'The deadline of the manuscript is 1 May.',
        'The publisher moved the deadline of the manuscript to 15 June',
        '2026-11-09',
      ],
      ['The narrator is called Edith.', 'The narrator is now called Miriam, not Edith', '2026-10-18'],
    ],
    duplicate: [
      ['Research the Lisbon trams of the thirties', 'Lisbon: research trams in the thirties'],
      ['Write the scene at the harbour', 'Harbour scene: write it'],
      ['Check the dates of the strike in chapter two', 'Chapter two: check when the strike was'],
    ],
    tasks: [
      'Send chapter five to the editor',
      'Choose a title',
      'Back up the manuscript',
      'Read the memoir of the tram driver',
      'Shorten the epilogue',
    ],
    entries: [
      ['Wrote 1,200 words of chapter five', '2026-10-29'],
      ['Lunch with the publisher', '2026-10-12'],
      ['Cut the second letter', '2026-10-05'],
      ['Bought a map of Lisbon from 1934', '2026-09-22'],
    ],
    facts: [
      'The story takes place in Lisbon.',
      'Chapters one to four are written.',
      'The editor is Anna Keller.',
    ],
  },
};

const addedOn = '2026-09-20';

/** A vault of four projects with planted contradictions, finished tasks and duplicates, among lines that are fine. */
export function untidyVault(): { files: Files; planted: Planted[] } {
  const planted: Planted[] = [];
  const files: Files = {};
  for (const [name, project] of Object.entries(projects)) {
    for (const kind of ['done', 'contradiction', 'duplicate'] as const)
      for (const [target, evidence] of project[kind]) planted.push({ kind, project: name, target, evidence });
    const { done, contradiction, duplicate, tasks, entries, facts } = project;
    const [firsts, seconds] = [duplicate.map(([first]) => first), duplicate.map(([, second]) => second)];
    const allTasks = [
      ...firsts,
      ...tasks.slice(0, 3),
      ...done.map(([target]) => target),
      ...tasks.slice(3),
      ...seconds,
    ];
    const allEntries = [
      ...entries,
      ...[...done, ...contradiction].map(([, heading, day = '']) => [heading, day]),
    ];
    files[`projects/${name}/tasks.md`] = allTasks
      .map((task) => `# ${task}\n\nstatus: to-do | added: ${addedOn}\n`)
      .join('\n');
    files[`projects/${name}/state.md`] =
      `# ${name}\n\n## Now\n\n${[...facts, ...contradiction.map(([target]) => target)].map((fact) => `- ${fact}`).join('\n')}\n`;
    files[`projects/${name}/changelog.md`] = allEntries
      .toSorted(([, a = ''], [, b = '']) => (a < b ? 1 : -1))
      .map(([heading = '', day = '']) => `# ${day}\n\n## ${heading}\n`)
      .join('\n');
  }
  return { files, planted };
}
