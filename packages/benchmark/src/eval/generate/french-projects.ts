import type { ProjectKind } from './phrasebook.ts';

export const frenchProjects: readonly ProjectKind[] = [
  {
    title: 'Cuisine rue {place}',
    slug: 'cuisine-{place}',
    about: "Refaire la vieille cuisine de l'appartement de la rue {place}.",
    frame: [
      '- Aucun travail le week-end, à cause des gens du dessous.',
      "- Le vieux buffet part chez quelqu'un qui en prendra soin.",
    ],
    figures: ["l'acompte du menuisier", 'le prix du plan de travail'],
    sums: ['le devis du carrelage', 'le coût de la nouvelle électricité'],
    meetings: [
      'la visite du plombier',
      'la livraison des meubles',
      'la discussion avec le propriétaire',
      'la prise des mesures',
    ],
    contacts: [
      'le contact au magasin de carrelage',
      "le contact pour l'électricité",
      'le contact à la régie',
    ],
    choices: [
      {
        label: 'la couleur des murs',
        options: ['vert *sauge*', 'gris *perle*', 'jaune *pâle*', 'blanc *cassé*', 'vieux *rose*'],
      },
      { label: 'la matière du sol', options: ['chêne', 'linoléum', 'ardoise', 'liège', 'terre *cuite*'] },
      { label: 'la plaque de cuisson', options: ['induction', 'gaz', 'vitrocéramique', 'plaque *mixte*'] },
    ],
    tasks: [
      { todo: 'commander le joint de sol', done: "j'ai commandé le joint de sol", key: 'joint' },
      { todo: 'rendre la ponceuse', done: "j'ai rendu la ponceuse", key: 'ponceuse' },
      { todo: 'vendre le frigo', done: "j'ai vendu le frigo", key: 'frigo' },
      { todo: 'choisir les poignées', done: "j'ai choisi les poignées", key: 'poignées' },
      { todo: 'étiqueter les épices', done: "j'ai étiqueté les épices", key: 'épices' },
      { todo: 'réparer la hotte', done: "j'ai réparé la hotte", key: 'hotte' },
      { todo: 'isoler les tuyaux', done: "j'ai isolé les tuyaux", key: 'tuyaux' },
    ],
  },
  {
    title: 'Concert de {place}',
    slug: 'concert-{place}',
    about: 'Un concert de la chorale du quartier dans la salle de {place}.',
    frame: [
      '- Quarante choristes, dont la plupart ne lisent pas les notes.',
      "- La recette va à l'école de musique.",
    ],
    figures: ['la location de la salle', 'le cachet du pianiste', 'le coût du programme imprimé'],
    sums: ['la subvention de la ville'],
    meetings: ['la répétition générale', "l'essai du son", 'la réunion du bureau', 'la répétition des altos'],
    contacts: ['le contact à la salle', 'le contact pour le piano', 'le contact au journal'],
    choices: [
      {
        label: 'le bis',
        options: ['le canon', 'la berceuse', 'le chant de *marins*', 'la ronde', 'la complainte'],
      },
      {
        label: 'la couleur des foulards',
        options: ['rouge *foncé*', 'bleu *pétrole*', 'moutarde', '*noir* uni', 'argenté'],
      },
      {
        label: "l'ordre de la soirée",
        options: ["les *enfants* d'abord", 'le *soliste* en premier', "les *invités* d'abord"],
      },
    ],
    tasks: [
      { todo: 'photocopier les partitions', done: "j'ai photocopié les partitions", key: 'partitions' },
      { todo: 'coller les affiches', done: "j'ai collé les affiches", key: 'affiches' },
      { todo: 'emprunter les gradins', done: "j'ai emprunté les gradins", key: 'gradins' },
      {
        todo: 'trouver une tourneuse de pages',
        done: "j'ai trouvé une tourneuse de pages",
        key: 'tourneuse',
      },
      { todo: "déclarer les droits d'auteur", done: "j'ai déclaré les droits d'auteur", key: 'droits' },
      {
        todo: 'acheter des bouteilles pour les choristes',
        done: "j'ai acheté des bouteilles pour les choristes",
        key: 'bouteilles',
      },
      { todo: 'commander les fleurs', done: "j'ai commandé les fleurs", key: 'fleurs' },
    ],
  },
  {
    title: 'Jardin de {place}',
    slug: 'jardin-{place}',
    about: 'La parcelle au jardin de {place}, reprise à moitié en friche.',
    frame: ['- Ni pesticide ni bâche plastique.', '- Le vieux pommier reste.'],
    figures: ['la cotisation annuelle', 'la part pour le puits', 'le coût de la clôture'],
    sums: ['le prix de la serre'],
    meetings: ['la visite du comité', "l'échange de plants", 'le cours de taille', 'la livraison du compost'],
    contacts: ['le contact au comité', 'le contact pour les ruches', 'le contact à la pépinière'],
    choices: [
      {
        label: 'la culture du carré au soleil',
        options: ['tomates', 'courges', 'maïs', 'poivrons', 'melons'],
      },
      {
        label: "l'emplacement de la cabane",
        options: ['contre la *haie*', 'près du *portail*', 'derrière le *poirier*', 'au mur du *fond*'],
      },
      {
        label: "le mode d'arrosage",
        options: ['goutte-à-goutte', 'arrosoir', 'asperseur', 'pots de terre *enterrés*'],
      },
    ],
    tasks: [
      { todo: 'affûter la faucille', done: "j'ai affûté la faucille", key: 'faucille' },
      { todo: 'planter les échalotes', done: "j'ai planté les échalotes", key: 'échalotes' },
      { todo: 'réparer la citerne', done: "j'ai réparé la citerne", key: 'citerne' },
      { todo: 'arracher les ronces', done: "j'ai arraché les ronces", key: 'ronces' },
      {
        todo: 'creuser la mare aux grenouilles',
        done: "j'ai creusé la mare aux grenouilles",
        key: 'grenouilles',
      },
      { todo: 'chercher la paille à la ferme', done: "j'ai cherché la paille à la ferme", key: 'paille' },
      { todo: 'attacher les framboisiers', done: "j'ai attaché les framboisiers", key: 'framboisiers' },
    ],
  },
  {
    title: 'Voyage à vélo vers {place}',
    slug: 'velo-{place}',
    about: "Dix jours à vélo le long du fleuve jusqu'à {place}, à quatre et sous la tente.",
    frame: ['- Pas de grandes routes, pas de trajets de nuit.', '- Chacun porte ses affaires.'],
    figures: ['le prix du train de retour', 'le prix de la tente neuve', 'la location de la remorque'],
    sums: ['la cagnotte commune'],
    meetings: ["la sortie d'essai", "la soirée sur l'itinéraire", 'la révision des vélos', 'le départ'],
    contacts: ['le contact au bac', 'le contact au premier camping', "le contact à l'atelier de vélos"],
    choices: [
      { label: 'la rive', options: ['la rive *gauche*', 'la rive *droite*'] },
      {
        label: 'le lieu du jour de repos',
        options: ['le monastère', 'le lac', 'le vieux *moulin*', 'la ville *thermale*', 'le vignoble'],
      },
      {
        label: 'le retour',
        options: [
          'le train *régional*',
          'un autocar',
          'une *camionnette* louée',
          'la *même route* une fois encore',
        ],
      },
    ],
    tasks: [
      { todo: 'recoller le matelas', done: "j'ai recollé le matelas", key: 'matelas' },
      { todo: 'réserver les billets du bac', done: "j'ai réservé les billets du bac", key: 'billets' },
      { todo: 'acheter des rayons de rechange', done: "j'ai acheté des rayons de rechange", key: 'rayons' },
      { todo: 'imprimer les cartes', done: "j'ai imprimé les cartes", key: 'cartes' },
      { todo: 'essayer le réchaud', done: "j'ai essayé le réchaud", key: 'réchaud' },
      { todo: 'compléter la pharmacie', done: "j'ai complété la pharmacie", key: 'pharmacie' },
      { todo: 'imperméabiliser les sacoches', done: "j'ai imperméabilisé les sacoches", key: 'sacoches' },
    ],
  },
  {
    title: 'Site de la poterie {place}',
    slug: 'site-{place}',
    about: 'Un petit site avec une boutique pour la poterie {place}.',
    frame: [
      '- Aucun pistage, aucune fenêtre surgissante.',
      '- La propriétaire doit pouvoir changer les textes seule.',
    ],
    figures: [
      "le coût annuel de l'hébergement",
      'le budget des photos',
      'le prix de la police de caractères',
    ],
    sums: ['le forfait convenu'],
    meetings: [
      'la présentation des maquettes',
      'la formation de la propriétaire',
      'la séance de photos',
      'la mise en ligne',
    ],
    contacts: [
      "le contact chez l'hébergeur",
      'le contact pour les photos',
      'le contact au service de paiement',
    ],
    choices: [
      {
        label: "la couleur de l'en-tête",
        options: ['rouge *argile*', 'bleu *profond*', 'vert *mousse*', 'anthracite', 'sable'],
      },
      {
        label: 'le moyen de paiement',
        options: ['sur *facture*', 'par *carte*', "par *virement* d'avance", 'au *retrait*'],
      },
      {
        label: "la page d'accueil",
        options: [
          'une seule grande *image*',
          'les *pièces* récentes',
          'un *film* court',
          "les heures d'*ouverture*",
        ],
      },
    ],
    tasks: [
      { todo: 'rédiger les mentions légales', done: "j'ai rédigé les mentions légales", key: 'mentions' },
      { todo: 'régler les sauvegardes', done: "j'ai réglé les sauvegardes", key: 'sauvegardes' },
      { todo: 'alléger les vignettes', done: "j'ai allégé les vignettes", key: 'vignettes' },
      { todo: 'transférer le nom de domaine', done: "j'ai transféré le nom de domaine", key: 'domaine' },
      {
        todo: 'traduire les conditions de vente',
        done: "j'ai traduit les conditions de vente",
        key: 'conditions',
      },
      { todo: "tester le lecteur d'écran", done: "j'ai testé le lecteur d'écran", key: 'lecteur' },
      { todo: 'dessiner les icônes', done: "j'ai dessiné les icônes", key: 'icônes' },
    ],
  },
];
