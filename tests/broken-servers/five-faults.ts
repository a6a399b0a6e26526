import { withJson, withText } from './faults.ts'
import { isInt64 } from './json.ts'
import type { Served } from './model.ts'
import { lawfulParts } from './store.ts'

/** A store with five faults at once, each of another kind: what a first version of a service may look like. */
export const fiveFaults: Served = {
  name: 'five-faults',
  about:
    'Takes text for a number, lets anybody in, crashes on bad JSON, loses tags, and writes codes as text.',
  parts: () => ({
    // 1: a request without credentials is let in.
    authenticate: asked =>
      asked.request.headers.authorization === undefined || lawfulParts.authenticate(asked),
    // 2: digits in quotation marks are taken for the number.
    id: value => isInt64(value) || (typeof value === 'string' && /^-?\d+$/.test(value)),
    respond: answer => {
      // 3: JSON that cannot be read is answered with the page of a crash.
      if (answer.cause === 'json')
        return withText(
          answer,
          500,
          '<!doctype html><title>Error</title><pre>SyntaxError: Unexpected end of JSON input</pre>',
          'text/html',
        )
      // 4: a tag of a Plant is answered as a list.
      if (answer.cause === 'none' && answer.plant?.tag !== undefined)
        return withJson(answer, 200, { name: answer.plant.name, tag: [answer.plant.tag] })
      // 5: where the name is wrong, the error is a word and no number.
      if (answer.cause === 'name') return withJson(answer, 400, { error: 'E_NAME', message: 'bad name' })
      return answer
    },
  }),
}
