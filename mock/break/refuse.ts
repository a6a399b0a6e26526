import { header, isObject, malformedKinds, type Subject } from '../../spec/index.ts'
import { type Asked, type Breaker, type Scene, turning } from './breaker.ts'

/** Accepts what breaks the contract in one way. */
export const accepting = (scene: Scene): Breaker =>
  turning(asked => isOfBreach(scene, scene.obligation.subject, asked), 'accept')

/** Whether a request breaks the contract in the way that an obligation to refuse is about. */
export const isOfBreach = (scene: Scene, subject: Subject, asked: Asked): boolean =>
  asked.breaches.length > 0 && isHit(scene, subject, asked)

const isHit = ({ obligation: { id } }: Scene, subject: Subject, asked: Asked): boolean => {
  const { breaches, request, body } = asked
  const only = breaches.every(breach => breach.id === id)
  switch (subject.kind) {
    case 'malformed': {
      const kind = malformedKinds.find(({ name }) => name === subject.name)
      return (
        breaches.every(breach => breach.id.endsWith('/request/body/json')) &&
        kind?.is(request.body ?? new Uint8Array()) === true
      )
    }
    case 'media':
      return (
        breaches.every(({ cause }) => cause === 'media') &&
        subject.contentTypes.includes(header(request.headers, 'content-type'))
      )
    case 'no-body':
      return subject.name === 'empty-object' ? isEmpty(asked) : only
    case 'keyword':
      if (subject.keyword === 'required') return only && !(subject.where.place === '' && isEmpty(asked))
      return subject.keyword === 'type' ? isWrongType(id, asked) : only
    default:
      return only
  }
  function isEmpty({ breaches }: Asked): boolean {
    return isObject(body) && Object.keys(body).length === 0 && breaches.every(({ cause }) => cause === 'body')
  }
}

/** A value of a wrong type breaks other keywords of its place as well. */
const isWrongType = (id: string, { breaches }: Asked): boolean => {
  const place = id.slice(0, id.lastIndexOf('/type/') + 1)
  return (
    breaches.some(breach => breach.id === id) &&
    breaches.every(
      breach =>
        breach.id === id || /^(?!type\/)[^/]+(?:\/(?:above|below))?$/.test(breach.id.slice(place.length)),
    ) &&
    breaches.every(breach => breach.id.startsWith(place))
  )
}
