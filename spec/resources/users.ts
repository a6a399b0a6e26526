import type { Operation } from '../contract/contract.ts'
import { singular } from './names.ts'
import { wordsOf } from './resource.ts'

const users = new Set(['user', 'account', 'member', 'person', 'people', 'principal', 'login', 'identity'])

/** Words of operations that leave a user as it is, with any method. */
const reading = new Set([
  ...[
    'get',
    'read',
    'list',
    'search',
    'query',
    'fetch',
    'find',
    'filter',
    'count',
    'view',
    'show',
    'describe',
  ],
  ...['check', 'validate', 'exists', 'lookup', 'create', 'register', 'signup', 'signin', 'authenticate'],
])

/** Whoever asks, in the last segment of a path. */
const self =
  /^(?:me|self|myself|who-?_?am-?_?i|user-?_?info|(?:get-?_?)?(?:my|current)-?_?(?:user|account|profile|identity))$/i
/** The same in a path of one such word below a prefix, as in `GET /user`. */
const alone = /^(?:user|account|profile)$/i

const isGet = ({ method }: Operation): boolean => method === 'GET' || method === 'HEAD'

const segmentsOf = ({ path }: Operation): readonly string[] =>
  path.split('/').filter(segment => segment !== '' && !segment.startsWith('{'))

/** Whether an operation may change or remove users, or what lets them in: by its path and its id, on the safe side. */
export const isUserChange = (operation: Operation): boolean => {
  if (isGet(operation)) return false
  const segments = segmentsOf(operation)
  const isOfUsers = segments.flatMap(wordsOf).some(word => users.has(singular(word)))
  return isOfUsers && !wordsOf(segments.at(-1) ?? '').some(word => reading.has(word))
}

/** Whether the response of an operation is about the user whom the credentials of the request belong to. */
export const showsOwnUser = (operation: Operation): boolean => {
  const { path } = operation
  if (path.includes('{')) return false
  const last = segmentsOf(operation).at(-1) ?? ''
  if (isGet(operation)) return self.test(last) || alone.test(last)
  return operation.method === 'POST' && /^get/i.test(last) && self.test(last)
}
