/** What a process uses: resident memory, and its CPU time so far. */
export type ProcessUsage = { memoryBytes: number; cpuMs: number };
