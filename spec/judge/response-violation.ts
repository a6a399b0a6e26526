/** One obligation that a response breaks. */
export type ResponseViolation = {
  readonly id: string
  readonly expected: string
  readonly actual: string
  /**
   * What is wrong with the response itself, in one line: «answered 200 with 5 as `name`, which must be a string». Absent
   * if nothing is but that the request called for another response, see `failureTitle`.
   */
  readonly title?: string
  /** What tells it from other violations of the same obligation by the same status, if anything: `absent`, `null`, `text/html`. */
  readonly kind?: string
  /** Of a chain: the index of the request that shows it; absent if the last one does. */
  readonly step?: number
}
