/** The index was made in another way, or says what cannot be. Whoever opened it makes a new one. */
export class UnusableIndex extends Error {}
