/** Values that a text lists, as descriptions of documents and rejections of servers do. */

/** `must be one of 'a', 'b'`, `must be in list [a, b]`, `Input should be 'a' or 'b'`. */
export const listedIn = (text: string): readonly string[] => {
  const beside = besides.exec(text)?.[0]
  if (beside !== undefined) return itemsOf(beside).slice(0, 3)
  for (const { 0: words, index } of text.matchAll(listing)) {
    const items = itemsOf(text.slice(index + words.length))
    if (items.length > 0) return items.slice(0, 3)
  }
  return []
}

/** `as 'text' or 'base64'` */
const besides = /(['"`])[^'"`\s]{1,60}\1(?:\s*(?:(?:,|\||\bor\b|\band\b)\s*)+(['"`])[^'"`\s]{1,60}\2)+/

const listing =
  /\b(?:one of|in (?:the )?(?:list|set|range of)|either|any of|input should be|allowed(?: values?)?(?: are| is)?|choices?(?: are)?|valid (?:values|options|types|names)(?: are)?|supported(?: \w+)?(?: are)?|available(?: \w+)?(?: are)?|possible values(?: are)?|expected)[\s:]*/gi

const itemsOf = (text: string): readonly string[] => {
  const quoted = [...text.matchAll(/(['"`])([^'"`]{1,80})\1/g)].map(match => match[2] as string)
  if (quoted.length > 0) return quoted
  const bracketed = /^[^[({]{0,20}[[({]([^\])}]+)[\])}]/.exec(text)?.[1]
  const listed = bracketed ?? (/[,|]/.test(text) ? (text.split(/[.;\n]/)[0] ?? '') : '')
  return listed
    .split(/[,|]|\bor\b/.test(listed) ? /,|\||\bor\b|\band\b/ : /\s+/)
    .map(item => item.trim())
    .filter(item => /^[\w.:+-]{1,60}$/.test(item))
}

/** `Supports "a" and "b".`, `e.g. "a"`: what a description speaks of, in quotes. */
const named =
  /\b(?:supports?|accepts?|can be|may be|must be|should be|is (?:either )?(?=["'`])|e\.g\.|for (?:example|instance)|examples?|such as)[\s:,]*/gi

/** The values that a description gives for a property, as far as it quotes them. */
export const describedValues = (description: string): readonly string[] => {
  const said = description.slice(0, mostDescribed)
  for (const words of [listing, named])
    for (const { 0: before, index } of said.matchAll(words)) {
      const rest = said.slice(index + before.length)
      const [sentence = ''] = rest.split(/[.;](?:\s|$)/, 1)
      const quoted = [...sentence.matchAll(/(["'`])([\w.:+/-]{1,60})\1/g)].map(match => match[2] as string)
      const points = words === listing ? pointsIn(rest) : []
      const items = (points.length > 0 ? points : quoted).filter(isValue)
      if (items.length > 0) return items
    }
  return []
}

const mostDescribed = 2000

const isValue = (item: string): boolean => !['null', 'undefined', 'true', 'false'].includes(item)

/** The first words of the points of a list that begins here. */
const pointsIn = (text: string): readonly string[] => {
  const lines = text.split('\n').map(line => /^\s*[*-]\s+([\w.:+/-]{1,60})/.exec(line)?.[1])
  const end = lines.indexOf(undefined)
  return lines.slice(0, end < 0 ? undefined : end).filter(item => item !== undefined)
}
