import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import { apiBase } from './http.ts';
import type { Http } from './http.ts';

export type ImportReport = z.output<typeof api.importReport>;
export type ImportProgress = z.output<typeof api.importProgress>;

/** Imports zip archives. The whole archive is sent for the plan and again for the import, so the server stores none. */
export function createImportsApi({ ask, get }: Http) {
  return {
    run(archive: File, { id, isDryRun }: { id: string; isDryRun: boolean }) {
      const query = new URLSearchParams({ id, name: archive.name, dryRun: `${isDryRun}` });
      return ask(api.importReport, `${apiBase}/imports?${query.toString()}`, {
        method: 'POST',
        body: archive,
        headers: { 'content-type': 'application/zip' },
      });
    },
    progress: (id: string, signal?: AbortSignal) => get(api.importProgress, `/imports/${id}`, signal),
  };
}
