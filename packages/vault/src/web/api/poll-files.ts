/** For what other programs may change on disk; an answer of 304 costs little. Only while the page is visible. */
export const pollFiles = { refetchInterval: 4_000, refetchOnWindowFocus: 'always' } as const;
