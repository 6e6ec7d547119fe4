import type { ProjectKind } from './phrasebook.ts';

export const englishProjects: readonly ProjectKind[] = [
  {
    title: 'Kitchen {place} Street',
    slug: 'kitchen-{place}',
    about: 'Renovating the old kitchen of the flat in {place} Street.',
    frame: [
      '- Nothing is done at weekends, because of the people below.',
      '- The old stove goes to a good home.',
    ],
    figures: ['the deposit for the joiner', 'the price of the worktop'],
    sums: ['the quote for the tiling', 'the cost of the new wiring'],
    meetings: [
      'the visit of the plumber',
      'the delivery of the cupboards',
      'the talk with the landlord',
      'the measuring of the windows',
    ],
    contacts: [
      'the contact at the tile shop',
      'the contact for the wiring',
      'the contact at the property management',
    ],
    choices: [
      {
        label: 'the colour of the walls',
        options: ['*sage* green', '*pearl* grey', 'pale *yellow*', 'off-white', 'dusky *pink*'],
      },
      { label: 'the material of the floor', options: ['oak', 'linoleum', 'slate', 'cork', 'terracotta'] },
      { label: 'the kind of hob', options: ['induction', 'gas', 'glass *ceramic*', 'a *mixed* hob'] },
    ],
    tasks: [
      { todo: 'order the grout', done: 'I have ordered the grout', key: 'grout' },
      { todo: 'return the rented sander', done: 'I have returned the rented sander', key: 'sander' },
      { todo: 'sell the fridge', done: 'I have sold the fridge', key: 'fridge' },
      { todo: 'pick door handles', done: 'I have picked door handles', key: 'handles' },
      { todo: 'label the spice jars', done: 'I have labelled the spice jars', key: 'spice' },
      { todo: 'fix the extractor fan', done: 'I have fixed the extractor fan', key: 'extractor' },
      { todo: 'insulate the pipes', done: 'I have insulated the pipes', key: 'pipes' },
    ],
  },
  {
    title: 'Choir concert {place}',
    slug: 'concert-{place}',
    about: 'A concert of the neighbourhood choir in the hall of {place}.',
    frame: ['- Forty singers, most of them without sheet reading.', '- The proceeds go to the music school.'],
    figures: ['the rent of the hall', 'the fee of the pianist', 'the cost of the printed programme'],
    sums: ['the grant from the town'],
    meetings: [
      'the dress rehearsal',
      'the sound check',
      'the meeting of the committee',
      'the rehearsal of the altos',
    ],
    contacts: ['the contact at the hall', 'the contact for the piano hire', 'the contact at the newspaper'],
    choices: [
      {
        label: 'the encore',
        options: ['the canon', 'the lullaby', 'the sea *shanty*', 'the round', 'the evening *hymn*'],
      },
      {
        label: 'the colour of the scarves',
        options: ['dark red', '*petrol* blue', 'mustard', 'plain *black*', 'silver'],
      },
      {
        label: 'the order of the evening',
        options: ['the *children* first', 'the *soloist* first', 'the *guests* first'],
      },
    ],
    tasks: [
      { todo: 'copy the scores', done: 'I have copied the scores', key: 'scores' },
      { todo: 'hang the posters', done: 'I have hung the posters', key: 'posters' },
      { todo: 'borrow the risers', done: 'I have borrowed the risers', key: 'risers' },
      { todo: 'find page turners', done: 'I have found page turners', key: 'turners' },
      { todo: 'register the music rights', done: 'I have registered the music rights', key: 'rights' },
      { todo: 'buy water for the singers', done: 'I have bought water for the singers', key: 'water' },
      { todo: 'order the flowers', done: 'I have ordered the flowers', key: 'flowers' },
    ],
  },
  {
    title: 'Allotment {place}',
    slug: 'allotment-{place}',
    about: 'The garden plot in the colony of {place}, taken over half wild.',
    frame: ['- No poison, no plastic sheets.', '- The old apple tree stays.'],
    figures: ['the yearly lease', 'the share for the well', 'the cost of the fence'],
    sums: ['the price of the greenhouse'],
    meetings: [
      'the inspection by the board',
      'the swap of seedlings',
      'the course on pruning',
      'the delivery of the compost',
    ],
    contacts: ['the contact on the board', 'the contact for the beehives', 'the contact at the nursery'],
    choices: [
      {
        label: 'the crop of the sunny bed',
        options: ['tomatoes', 'pumpkins', 'sweetcorn', 'peppers', 'melons'],
      },
      {
        label: 'the place of the shed',
        options: ['by the *hedge*', 'next to the *gate*', 'behind the *pear* tree', 'at the back *wall*'],
      },
      {
        label: 'the way of watering',
        options: ['drip *hoses*', 'watering *cans*', 'a sprinkler', '*clay pots* in the ground'],
      },
    ],
    tasks: [
      { todo: 'sharpen the scythe', done: 'I have sharpened the scythe', key: 'scythe' },
      { todo: 'plant the garlic', done: 'I have planted the garlic', key: 'garlic' },
      { todo: 'repair the rain barrel', done: 'I have repaired the rain barrel', key: 'barrel' },
      { todo: 'clear the brambles', done: 'I have cleared the brambles', key: 'brambles' },
      { todo: 'build a frog pond', done: 'I have built a frog pond', key: 'frog' },
      { todo: 'collect straw from the farm', done: 'I have collected straw from the farm', key: 'straw' },
      { todo: 'tie up the raspberries', done: 'I have tied up the raspberries', key: 'raspberries' },
    ],
  },
  {
    title: 'Bicycle tour {place}',
    slug: 'tour-{place}',
    about: 'Ten days by bicycle along the river to {place}, four people and a tent.',
    frame: ['- No motorways, no night rides.', '- Everybody carries their own things.'],
    figures: ['the price of the return fare', 'the price of the new tent', 'the rent of the trailer'],
    sums: ['the common kitty'],
    meetings: ['the test ride', 'the evening about the route', 'the check of the bicycles', 'the departure'],
    contacts: [
      'the contact at the ferry',
      'the contact at the first campsite',
      'the contact at the bicycle workshop',
    ],
    choices: [
      { label: 'the side of the river', options: ['the *north* bank', 'the *south* bank'] },
      {
        label: 'the place of the rest day',
        options: ['the monastery', 'the lake', 'the old *mill*', 'the *market* town', 'the vineyard'],
      },
      {
        label: 'the way back',
        options: ['the regional *train*', 'the coach', 'a rented *van*', 'the *same road* once more'],
      },
    ],
    tasks: [
      { todo: 'patch the mattress', done: 'I have patched the mattress', key: 'mattress' },
      { todo: 'reserve the ferry tickets', done: 'I have reserved the ferry tickets', key: 'tickets' },
      { todo: 'buy spare spokes', done: 'I have bought spare spokes', key: 'spokes' },
      { todo: 'print the maps', done: 'I have printed the maps', key: 'maps' },
      { todo: 'test the stove', done: 'I have tested the stove', key: 'stove' },
      { todo: 'fill the first-aid kit', done: 'I have filled the first-aid kit', key: 'first-aid' },
      { todo: 'waterproof the panniers', done: 'I have waterproofed the panniers', key: 'panniers' },
    ],
  },
  {
    title: 'Website {place} Pottery',
    slug: 'website-{place}',
    about: 'A small website with a shop for the pottery called {place}.',
    frame: ['- No tracking, no pop-ups.', '- The owner must be able to change the texts alone.'],
    figures: ['the yearly cost of hosting', 'the budget for the photographs', 'the price of the typeface'],
    sums: ['the agreed fee'],
    meetings: [
      'the presentation of the drafts',
      'the training for the owner',
      'the photo session',
      'the launch',
    ],
    contacts: [
      'the contact at the hosting company',
      'the contact for the photographs',
      'the contact at the payment service',
    ],
    choices: [
      {
        label: 'the colour of the header',
        options: ['clay *red*', 'deep *blue*', '*moss* green', 'charcoal', 'sand'],
      },
      {
        label: 'the way of paying',
        options: ['by *invoice*', 'by *card*', 'in advance by *transfer*', 'on *collection*'],
      },
      {
        label: 'the start page',
        options: ['a single large *picture*', 'the *newest* pieces', 'a short *film*', 'the opening hours'],
      },
    ],
    tasks: [
      { todo: 'write the imprint', done: 'I have written the imprint', key: 'imprint' },
      { todo: 'set up the backups', done: 'I have set up the backups', key: 'backups' },
      { todo: 'shrink the thumbnails', done: 'I have shrunk the thumbnails', key: 'thumbnails' },
      { todo: 'move the domain', done: 'I have moved the domain', key: 'domain' },
      { todo: 'translate the terms', done: 'I have translated the terms', key: 'terms' },
      { todo: 'test the screen reader', done: 'I have tested the screen reader', key: 'screen reader' },
      { todo: 'draw the icons', done: 'I have drawn the icons', key: 'icons' },
    ],
  },
];
