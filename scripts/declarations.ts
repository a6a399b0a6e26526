import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const relativeImport = /(?:from |import\()['"](\.[^'"]*)\.js['"]/g

/** The paths of a file of declarations, and of all that it refers to by relative imports. */
export const declarationsFrom = (file: string): ReadonlySet<string> => {
  const found = new Set([file])
  // A set gives what is added to it while it is gone through as well.
  for (const each of found)
    for (const [, path = ''] of readFileSync(each, 'utf8').matchAll(relativeImport))
      found.add(join(dirname(each), `${path}.d.ts`))
  return found
}
