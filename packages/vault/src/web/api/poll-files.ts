/** Polls data that other programs may change on disk, while the page is visible. A 304 response is cheap. */
export const pollFiles = { refetchInterval: 4_000, refetchOnWindowFocus: 'always' } as const;
