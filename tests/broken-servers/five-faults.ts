import { withJson, withText } from './store/faults.ts'
import { isInt64 } from './store/json.ts'
import type { TestServer } from './store/model.ts'
import { lawfulParts } from './store/store.ts'

/** A store with five faults of different kinds, as the first version of a service may have them. */
export const fiveFaults: TestServer = {
  name: 'five-faults',
  about:
    'Accepts quoted numbers and missing credentials, crashes on malformed JSON, returns tags as lists and codes as words.',
  parts: () => ({
    // 1: a request without credentials is accepted.
    authenticate: exchange =>
      exchange.request.headers.authorization === undefined || lawfulParts.authenticate(exchange),
    // 2: a quoted number is accepted as the id.
    id: value => isInt64(value) || (typeof value === 'string' && /^-?\d+$/.test(value)),
    respond: response => {
      // 3: malformed JSON gets an error page.
      if (response.cause === 'json')
        return withText(
          response,
          500,
          '<!doctype html><title>Error</title><pre>SyntaxError: Unexpected end of JSON input</pre>',
          'text/html',
        )
      // 4: the tag of a Plant comes back as a list.
      if (response.cause === 'none' && response.plant?.tag !== undefined)
        return withJson(response, 200, { name: response.plant.name, tag: [response.plant.tag] })
      // 5: the error for a wrong name is a word instead of a number.
      if (response.cause === 'name') return withJson(response, 400, { error: 'E_NAME', message: 'bad name' })
      return response
    },
  }),
}
