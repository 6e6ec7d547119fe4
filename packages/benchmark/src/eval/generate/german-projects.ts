import type { ProjectKind } from './phrasebook.ts';

export const germanProjects: readonly ProjectKind[] = [
  {
    title: 'Küche {place}weg',
    slug: 'kueche-{place}',
    about: 'Die alte Küche der Wohnung im {place}weg wird erneuert.',
    frame: [
      '- Am Wochenende wird nicht gearbeitet, wegen der Leute darunter.',
      '- Das alte Büfett kommt in gute Hände.',
    ],
    figures: ['die Anzahlung für die Schreinerei', 'der Preis der Arbeitsplatte'],
    sums: ['das Angebot für die Fliesen', 'der Betrag für die Elektrik'],
    meetings: [
      'der Besuch der Installateurin',
      'die Lieferung der Schränke',
      'das Gespräch mit der Vermieterin',
      'das Ausmessen der Fenster',
    ],
    contacts: [
      'der Kontakt im Fliesenladen',
      'der Kontakt für die Elektrik',
      'der Kontakt bei der Hausverwaltung',
    ],
    choices: [
      {
        label: 'die Farbe der Wände',
        options: ['salbeigrün', 'perlgrau', 'blassgelb', 'cremeweiß', 'altrosa'],
      },
      { label: 'das Material des Bodens', options: ['Eiche', 'Linoleum', 'Schiefer', 'Kork', 'Terrakotta'] },
      { label: 'die Art des Kochfelds', options: ['Induktion', 'Gas', 'Glaskeramik'] },
    ],
    tasks: [
      { todo: 'die Fugenmasse bestellen', done: 'ich habe die Fugenmasse bestellt', key: 'Fugenmasse' },
      {
        todo: 'die Schleifmaschine zurückbringen',
        done: 'ich habe die Schleifmaschine zurückgebracht',
        key: 'Schleifmaschine',
      },
      { todo: 'den Kühlschrank verkaufen', done: 'ich habe den Kühlschrank verkauft', key: 'Kühlschrank' },
      { todo: 'die Griffe aussuchen', done: 'ich habe die Griffe ausgesucht', key: 'Griffe' },
      { todo: 'die Gewürze beschriften', done: 'ich habe die Gewürze beschriftet', key: 'Gewürze' },
      { todo: 'die Dunsthaube reparieren', done: 'ich habe die Dunsthaube repariert', key: 'Dunsthaube' },
      { todo: 'die Rohre dämmen', done: 'ich habe die Rohre gedämmt', key: 'Rohre' },
    ],
  },
  {
    title: 'Chorkonzert {place}',
    slug: 'konzert-{place}',
    about: 'Ein Konzert des Nachbarschaftschors im Saal von {place}.',
    frame: ['- Vierzig Stimmen, die meisten lesen keine Noten.', '- Der Erlös geht an die Musikschule.'],
    figures: ['die Miete für den Saal', 'die Gage am Klavier', 'der Preis für den Druck'],
    sums: ['der Zuschuss der Stadt'],
    meetings: ['die Generalprobe', 'die Tonprobe', 'die Sitzung des Vorstands', 'die Probe der Altstimmen'],
    contacts: ['der Kontakt im Saal', 'der Kontakt für das Klavier', 'der Kontakt bei der Zeitung'],
    choices: [
      {
        label: 'die Zugabe',
        options: ['der Kanon', 'das Wiegenlied', 'das Seemannslied', 'der Rundgesang', 'das Abendlied'],
      },
      {
        label: 'die Farbe der Schals',
        options: ['dunkelrot', 'petrolblau', 'senfgelb', 'schwarz', 'silbern'],
      },
      {
        label: 'die Reihenfolge des Abends',
        options: ['zuerst die *Kinder*', 'zuerst das *Solo*', 'zuerst die *Gäste*'],
      },
    ],
    tasks: [
      { todo: 'die Partituren kopieren', done: 'ich habe die Partituren kopiert', key: 'Partituren' },
      { todo: 'die Plakate aufhängen', done: 'ich habe die Plakate aufgehängt', key: 'Plakate' },
      { todo: 'die Podeste ausleihen', done: 'ich habe die Podeste ausgeliehen', key: 'Podeste' },
      {
        todo: 'jemanden zum Umblättern finden',
        done: 'ich habe jemanden zum Umblättern gefunden',
        key: 'Umblättern',
      },
      { todo: 'die Musikrechte anmelden', done: 'ich habe die Musikrechte angemeldet', key: 'Musikrechte' },
      { todo: 'die Getränke kaufen', done: 'ich habe die Getränke gekauft', key: 'Getränke' },
      { todo: 'die Blumen bestellen', done: 'ich habe die Blumen bestellt', key: 'Blumen' },
    ],
  },
  {
    title: 'Kleingarten {place}',
    slug: 'garten-{place}',
    about: 'Die Parzelle in der Kolonie {place}, halb verwildert übernommen.',
    frame: ['- Kein Gift, keine Plastikfolie.', '- Der alte Apfelbaum bleibt.'],
    figures: ['die Pacht im Jahr', 'der Anteil am Brunnen', 'der Betrag für den Zaun'],
    sums: ['der Preis des Gewächshauses'],
    meetings: [
      'die Begehung durch den Vorstand',
      'die Pflanzenbörse',
      'der Schnittkurs',
      'die Lieferung des Komposts',
    ],
    contacts: ['der Kontakt im Vorstand', 'der Kontakt für die Bienen', 'der Kontakt in der Gärtnerei'],
    choices: [
      {
        label: 'die Kultur im sonnigen Beet',
        options: ['Tomaten', 'Kürbisse', 'Mais', 'Paprika', 'Melonen'],
      },
      {
        label: 'der Platz der Laube',
        options: ['an der *Hecke*', 'neben dem *Tor*', 'hinter dem *Birnbaum*', 'an der *Rückwand*'],
      },
      {
        label: 'die Art der Bewässerung',
        options: ['Tropfschläuche', 'Gießkannen', 'ein Regner', '*Tontöpfe* in der Erde'],
      },
    ],
    tasks: [
      { todo: 'die Sense schärfen', done: 'ich habe die Sense geschärft', key: 'Sense' },
      { todo: 'den Knoblauch stecken', done: 'ich habe den Knoblauch gesteckt', key: 'Knoblauch' },
      { todo: 'die Regentonne flicken', done: 'ich habe die Regentonne geflickt', key: 'Regentonne' },
      { todo: 'die Brombeeren roden', done: 'ich habe die Brombeeren gerodet', key: 'Brombeeren' },
      { todo: 'den Froschteich anlegen', done: 'ich habe den Froschteich angelegt', key: 'Froschteich' },
      { todo: 'das Stroh vom Hof holen', done: 'ich habe das Stroh vom Hof geholt', key: 'Stroh' },
      { todo: 'die Himbeeren aufbinden', done: 'ich habe die Himbeeren aufgebunden', key: 'Himbeeren' },
    ],
  },
  {
    title: 'Radreise nach {place}',
    slug: 'radreise-{place}',
    about: 'Zehn Tage mit dem Rad am Fluss entlang bis {place}, zu viert und mit Zelt.',
    frame: ['- Keine Bundesstraßen, keine Nachtfahrten.', '- Jeder trägt die eigenen Sachen.'],
    figures: ['der Preis der Rückfahrt', 'der Preis des neuen Zelts', 'die Miete für den Anhänger'],
    sums: ['die gemeinsame Kasse'],
    meetings: ['die Probefahrt', 'der Abend zur Strecke', 'die Durchsicht der Räder', 'die Abfahrt'],
    contacts: [
      'der Kontakt an der Fähre',
      'der Kontakt am ersten Zeltplatz',
      'der Kontakt in der Radwerkstatt',
    ],
    choices: [
      { label: 'das Ufer', options: ['das Nordufer', 'das Südufer'] },
      {
        label: 'der Ort des Ruhetags',
        options: ['das Kloster', 'der See', 'die Mühle', 'der Kurort', 'das Weingut'],
      },
      { label: 'der Weg zurück', options: ['der Regionalzug', 'der Fernbus', 'ein Mietwagen'] },
    ],
    tasks: [
      { todo: 'die Matte flicken', done: 'ich habe die Matte geflickt', key: 'Matte' },
      { todo: 'die Tickets reservieren', done: 'ich habe die Tickets reserviert', key: 'Tickets' },
      {
        todo: 'die Ersatzspeichen kaufen',
        done: 'ich habe die Ersatzspeichen gekauft',
        key: 'Ersatzspeichen',
      },
      { todo: 'die Landkarten drucken', done: 'ich habe die Landkarten gedruckt', key: 'Landkarten' },
      { todo: 'den Kocher ausprobieren', done: 'ich habe den Kocher ausprobiert', key: 'Kocher' },
      {
        todo: 'das Verbandszeug auffüllen',
        done: 'ich habe das Verbandszeug aufgefüllt',
        key: 'Verbandszeug',
      },
      { todo: 'die Packtaschen abdichten', done: 'ich habe die Packtaschen abgedichtet', key: 'Packtaschen' },
    ],
  },
  {
    title: 'Website Töpferei {place}',
    slug: 'website-{place}',
    about: 'Eine kleine Website mit Laden für die Töpferei {place}.',
    frame: [
      '- Kein Tracking, keine aufspringenden Fenster.',
      '- Die Inhaberin muss die Texte allein ändern können.',
    ],
    figures: ['der Jahresbetrag für das Hosting', 'das Budget für die Fotos', 'der Preis der Schrift'],
    sums: ['das vereinbarte Honorar'],
    meetings: ['die Vorstellung der Entwürfe', 'die Schulung der Inhaberin', 'der Fototermin', 'der Start'],
    contacts: ['der Kontakt beim Hoster', 'der Kontakt für die Fotos', 'der Kontakt beim Zahlungsdienst'],
    choices: [
      {
        label: 'die Farbe der Kopfzeile',
        options: ['tonrot', 'tiefblau', 'moosgrün', 'anthrazit', 'sandfarben'],
      },
      {
        label: 'die Art der Zahlung',
        options: ['auf *Rechnung*', 'mit *Karte*', 'vorab per *Überweisung*', 'bei *Abholung*'],
      },
      {
        label: 'die Startseite',
        options: ['ein Großbild', 'die Neuheiten', 'ein Kurzfilm', 'die Öffnungszeiten'],
      },
    ],
    tasks: [
      { todo: 'das Impressum schreiben', done: 'ich habe das Impressum geschrieben', key: 'Impressum' },
      {
        todo: 'die Datensicherung einrichten',
        done: 'ich habe die Datensicherung eingerichtet',
        key: 'Datensicherung',
      },
      {
        todo: 'die Vorschaubilder verkleinern',
        done: 'ich habe die Vorschaubilder verkleinert',
        key: 'Vorschaubilder',
      },
      { todo: 'die Domain umziehen', done: 'ich habe die Domain umgezogen', key: 'Domain' },
      { todo: 'die Bedingungen übersetzen', done: 'ich habe die Bedingungen übersetzt', key: 'Bedingungen' },
      {
        todo: 'den Bildschirmvorleser testen',
        done: 'ich habe den Bildschirmvorleser getestet',
        key: 'Bildschirmvorleser',
      },
      { todo: 'die Symbole zeichnen', done: 'ich habe die Symbole gezeichnet', key: 'Symbole' },
    ],
  },
];
