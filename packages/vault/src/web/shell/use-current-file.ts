import { useLocation } from '@tanstack/react-router';

/** The path of the file or folder that is open; null on other pages. */
export function useCurrentFile(): string | null {
  return useLocation({
    select: ({ pathname }) => {
      const [, path] = /^\/file\/(.+)$/.exec(pathname) ?? [];
      return path === undefined ? null : decodeURIComponent(path).replace(/\/+$/, '');
    },
  });
}
