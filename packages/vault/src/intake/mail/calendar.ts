/** The properties of an event that are shown, formatted for reading. */
type CalendarEvent = {
  summary: string;
  start: string;
  end: string;
  place: string;
  organiser: string;
};

type Property = { name: string; parameters: Map<string, string>; value: string };

const maxEvents = 20;

const kinds = new Map([
  ['REQUEST', 'Invitation'],
  ['CANCEL', 'Cancelled'],
  ['REPLY', 'Answer to an invitation'],
  ['COUNTER', 'Another time proposed'],
]);

/** Returns a section for each event of an invitation (iCalendar, RFC 5545). */
export function formatEvents(calendar: string): string[] {
  const properties = unfold(calendar).map(parseProperty);
  const method =
    properties
      .find(({ name }) => name === 'METHOD')
      ?.value.trim()
      .toUpperCase() ?? '';
  const kind = kinds.get(method) ?? 'Event';
  return splitEvents(properties)
    .slice(0, maxEvents)
    .map((event) => {
      const { summary, start, end, place, organiser } = readEvent(event);
      const details = [
        ['Start', start],
        ['End', end],
        ['Place', place],
        ['Organiser', organiser],
      ].filter(([, value]) => value !== '');
      const list = details.map(([name, value]) => `- ${name}: ${value}`).join('\n');
      return `## ${kind}: ${summary || 'untitled'}\n\n${list}`.trim();
    });
}

/** Joins folded lines, which continue with a space. */
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

/** Splits into events, without nested components such as alarms. */
function splitEvents(properties: readonly Property[]): Property[][] {
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
  const find = (key: string) => properties.find(({ name }) => name === key);
  const text = (name: string): string => unescape(find(name)?.value ?? '');
  return {
    summary: text('SUMMARY'),
    start: formatDateTime(find('DTSTART')),
    end: formatDateTime(find('DTEND')),
    place: text('LOCATION'),
    organiser: formatOrganizer(find('ORGANIZER')),
  };
}

/** Unescapes a text and puts it on one line. */
function unescape(text: string): string {
  return text
    .replaceAll(/\\(.)/g, (_, letter: string) => (letter.toLowerCase() === 'n' ? ' ' : letter))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Formats a time in the time zone that the invitation uses. */
function formatDateTime(property: Property | undefined): string {
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

function formatOrganizer(property: Property | undefined): string {
  if (property === undefined) return '';
  const address = property.value.trim().replace(/^mailto:/i, '');
  const name = property.parameters.get('CN') ?? '';
  return name === '' || name === address ? address : `${name} <${address}>`;
}
