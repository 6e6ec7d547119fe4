import PostalMime from 'postal-mime';
import type { Address, Email } from 'postal-mime';

/** The headers of a message, formatted for reading. */
export type Headers = {
  subject: string | undefined;
  from: string | undefined;
  to: string | undefined;
  cc: string | undefined;
  /** `2025-07-14 18:30 +0200`, or the unchanged header when it is not a valid date. */
  date: string | undefined;
  /** `2025-07-14T18:30:00+02:00`; without the offset if the header states none. */
  moment: string | undefined;
};

export function formatHeaders(email: Email): Headers {
  const written = email.headers.find(({ key }) => key === 'date')?.value.trim();
  const date = written === undefined ? null : parseDate(written);
  return {
    subject: oneLine(email.subject),
    from: oneLine(email.from && showAddress(email.from)),
    to: oneLine(email.to?.map(showAddress).join(', ')),
    cc: oneLine(email.cc?.map(showAddress).join(', ')),
    date: date === null ? oneLine(written) : `${date.day} ${date.time.slice(0, 5)} ${date.zone}`.trim(),
    moment: date === null ? undefined : `${date.day}T${date.time}${formatOffset(date.zone)}`,
  };
}

/** Other names of zones are ambiguous. */
function formatOffset(zone: string): string {
  if (/^(?:GMT|UTC?|Z)$/i.test(zone)) return 'Z';
  return /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : '';
}

const maxHeaderBytes = 65_536;

/** Reads the headers of a message without parsing its body. */
export async function readHeaders(message: Uint8Array): Promise<Headers> {
  const head = Buffer.from(message.subarray(0, maxHeaderBytes));
  const ends = ['\n\n', '\n\r\n'].map((end) => head.indexOf(end)).filter((end) => end !== -1);
  return formatHeaders(await PostalMime.parse(head.subarray(0, Math.min(head.length, ...ends))));
}

function showAddress(address: Address): string {
  if (address.group !== undefined)
    return address.group.length === 0 ? address.name : address.group.map(showAddress).join(', ');
  const { name, address: at } = address;
  if (name === '' || name === at) return at;
  return at === '' ? name : `${name} <${at}>`;
}

function oneLine(text: string | undefined): string | undefined {
  return text?.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() || undefined;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Keeps the sender's local time as written in the header: the converter process does not know the time zone of this machine. */
function parseDate(written: string): { day: string; time: string; zone: string } | null {
  const found =
    /(?<day>\d{1,2})[ -](?<month>[a-z]{3})[a-z]*[ -](?<year>\d{4}|\d{2}) +(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))? *(?<zone>[+-]\d{4}|[a-z]{1,5})?/i.exec(
      written.replaceAll(/\s+/g, ' '),
    )?.groups;
  if (found === undefined) return null;
  const { day = '', month = '', year = '', hour = '', minute = '', second = '00', zone = '' } = found;
  const number = months.indexOf(month.toLowerCase()) + 1;
  const pad = (text: string): string => text.padStart(2, '0');
  const date = `${year.length === 2 ? `${Number(year) < 50 ? 20 : 19}${year}` : year}-${pad(`${number}`)}-${pad(day)}`;
  const time = `${pad(hour)}:${minute}:${second}`;
  const moment = new Date(`${date}T${time}Z`);
  return Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(date)
    ? null
    : { day: date, time, zone };
}
