/** Returns the current time in milliseconds since 1970. Passed as a parameter so that tests can control it. */
export type Clock = () => number;
