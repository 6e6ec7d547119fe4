/** The present moment in milliseconds since 1970; a parameter, so that tests can choose it. */
export type Clock = () => number;
