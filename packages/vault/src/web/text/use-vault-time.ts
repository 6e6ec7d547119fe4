import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { createTimeZone, parseLocalTime } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';

const hasZone = /\d:\d.*(?:Z|[+-]\d\d:?\d\d)\s*$/;

/**
 * Converts a time in a note to milliseconds since the epoch. Stamps have no time zone and are in that of the server.
 * Null if the text is not a time, and until the time zone of the server is known.
 */
export function useVaultTime(): (time: string) => number | null {
  const { data: timeZone } = useQuery({
    ...useServices().queries.status,
    select: (status) => status.timeZone,
  });
  return useMemo(() => {
    if (timeZone === undefined) return () => null;
    const zone = createTimeZone(timeZone);
    return (time: string) => {
      const local = parseLocalTime(time);
      if (local === null) return null;
      // `parseLocalTime` has converted a time with a zone to the zone of the browser.
      return hasZone.test(time) ? new Date(local).getTime() : zone.instantOf(local);
    };
  }, [timeZone]);
}
