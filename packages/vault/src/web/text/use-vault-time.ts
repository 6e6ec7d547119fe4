import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { createTimeZone, parseLocalTime } from '../../contract/index.ts';
import { useServices } from '../shell/services.ts';

const hasZone = /\d:\d.*(?:Z|[+-]\d\d:?\d\d)\s*$/;

/**
 * Reads times that the vault holds. Stamps carry no zone and are times where the server is; pages show every time where the
 * browser is. Null for what is no time, and until the zone of the server is known.
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
      // A time with a zone of its own was read into that of the browser.
      return hasZone.test(time) ? new Date(local).getTime() : zone.instantOf(local);
    };
  }, [timeZone]);
}
