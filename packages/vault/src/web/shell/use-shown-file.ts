import { useLocation } from '@tanstack/react-router';

/** The path of the file or folder that is shown; null elsewhere. */
export function useShownFile(): string | null {
  return useLocation({
    select: ({ pathname }) => {
      const [, path] = /^\/file\/(.+)$/.exec(pathname) ?? [];
      return path === undefined ? null : decodeURIComponent(path).replace(/\/+$/, '');
    },
  });
}
