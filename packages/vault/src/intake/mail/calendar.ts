/** What people want to know of an event; each as it is to be read. */
type CalendarEvent = {
  summary: string;
  start: string;
  end: string;
  place: string;
  organiser: string;
};

type Property = { name: string; parameters: Map<string, string>; value: string };

const mostEvents = 20;

const kinds = new Map([
  ['REQUEST', 'Invitation'],
  ['CANCEL', 'Cancelled'],
  ['REPLY', 'Answer to an invitation'],
  ['COUNTER', 'Another time proposed'],
]);

/** A section for each event of an invitation (iCalendar, RFC 5545). */
export function describeCalendar(calendar: string): string[] {
  const properties = unfold(calendar).map(parseProperty);
  const method =
    properties
      .find(({ name }) => name === 'METHOD')
      ?.value.trim()
      .toUpperCase() ?? '';
  const kind = kinds.get(method) ?? 'Event';
  return eventsOf(properties)
    .slice(0, mostEvents)
    .map((event) => {
      const { summary, start, end, place, organiser } = readEvent(event);
      const told = [
        ['Start', start],
        ['End', end],
        ['Place', place],
        ['Organiser', organiser],
      ].filter(([, value]) => value !== '');
      const list = told.map(([name, value]) => `- ${name}: ${value}`).join('\n');
      return `## ${kind}: ${summary || 'untitled'}\n\n${list}`.trim();
    });
}

/** Long lines are folded with a space. */
function unfold(calendar: string): string[] {
  return calendar.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
}

function parseProperty(line: string): Property {
  const [, head = '', value = ''] = /^((?:[^":]|"[^"]*")*):(.*)$/.exec(line) ?? [];
  const [name = '', ...parameters] = head.match(/(?:[^";]|"[^"]*")+/g) ?? [];
  const named = parameters.map((parameter): [string, string] => {
    const [key = '', ...rest] = parameter.split('=');
    return [key.toUpperCase(), rest.join('=').replaceAll('"', '')];
  });
  return { name: name.toUpperCase(), parameters: new Map(named), value };
}

/** Without the alarms and what else may lie in an event. */
function eventsOf(properties: readonly Property[]): Property[][] {
  const events: Property[][] = [];
  const open: string[] = [];
  for (const property of properties) {
    const value = property.value.trim().toUpperCase();
    if (property.name === 'BEGIN') {
      open.push(value);
      if (value === 'VEVENT') events.push([]);
    } else if (property.name === 'END') open.pop();
    else if (open.at(-1) === 'VEVENT') events.at(-1)?.push(property);
  }
  return events;
}

function readEvent(properties: readonly Property[]): CalendarEvent {
  const find = (wanted: string) => properties.find(({ name }) => name === wanted);
  const text = (name: string): string => unescape(find(name)?.value ?? '');
  return {
    summary: text('SUMMARY'),
    start: showMoment(find('DTSTART')),
    end: showMoment(find('DTEND')),
    place: text('LOCATION'),
    organiser: showOrganiser(find('ORGANIZER')),
  };
}

/** On one line. */
function unescape(text: string): string {
  return text
    .replaceAll(/\\(.)/g, (_, letter: string) => (letter.toLowerCase() === 'n' ? ' ' : letter))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** In the zone it is written in. */
function showMoment(property: Property | undefined): string {
  if (property === undefined) return '';
  const value = property.value.trim();
  const [, year, month, day, hour, minute, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d*(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return value;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const zone = utc === 'Z' ? 'UTC' : (property.parameters.get('TZID') ?? '');
  return `${date} ${hour}:${minute}${zone === '' ? '' : ` (${zone})`}`;
}

function showOrganiser(property: Property | undefined): string {
  if (property === undefined) return '';
  const address = property.value.trim().replace(/^mailto:/i, '');
  const name = property.parameters.get('CN') ?? '';
  return name === '' || name === address ? address : `${name} <${address}>`;
}
