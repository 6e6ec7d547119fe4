/** Parses the search parameters of the calendar: the selected day. An invalid one is dropped. */
export function parseCalendarSearch({ day }: Record<string, unknown>): { day?: string } {
  const isDay =
    typeof day === 'string' &&
    /^[12]\d{3}-\d\d-\d\d$/.test(day) &&
    !Number.isNaN(Date.parse(day)) &&
    new Date(Date.parse(day)).toISOString().startsWith(day);
  return isDay ? { day } : {};
}
