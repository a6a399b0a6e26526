/** Whether a text contains every word of a query, in any case and order. */
export const containsWords = (text: string, query: string): boolean => {
  const lower = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every(word => lower.includes(word))
}
