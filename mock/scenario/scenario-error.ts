/** A scenario that cannot be; each line of the message says what is wrong, where, and what to do. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}
