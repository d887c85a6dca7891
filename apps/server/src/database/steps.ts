/** Most rows that a clean-up deletes in one statement: what is left waits for the next one. */
export const deletedAtATime = 10_000
