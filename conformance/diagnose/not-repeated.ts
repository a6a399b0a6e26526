import {
  isOfBody,
  isOneOfFew,
  locationText,
  type Obligation,
  type ObligationId,
  pathOf,
  readableBody,
  statusOf,
} from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { type Confirmed, isSettled, isUnasked } from '../confirm/confirm-incident.ts'
import { valueIn } from '../confirm/differences.ts'
import { isAbout, isGeneral, type Tellers } from '../confirm/failed-kinds.ts'
import { primaryOf } from '../confirm/group.ts'
import { isOfName, isTaken } from '../judge/expected-status.ts'
import { hasPassed, type Incident, type RunStats } from '../judge/run-stats.ts'
import { answerOf, reasonOf, tellsApart } from '../judge/server-words.ts'
import { isWithin } from '../pool/bound-spec.ts'
import { namedPlaces } from '../pool/spoken-places.ts'
import { isLost } from '../send/lost-connections.ts'
import type { Cluster } from './cluster.ts'

/**
 * What was not sent again was not sent without what it is about either, so nobody knows what it was rejected for: then the cluster of the same
 * answer that was sent again tells it, or one of any valid request. So it is with what the server says of another place of the request. A lost
 * connection is another matter: its request was sent several times, until it was given up (see `createRecoveringSend`). `unconfirmed`: failures
 * that nobody sent again; a cluster of the same answer tells them as well.
 */
export const byAnswer = (
  clusters: readonly Cluster[],
  valid: Obligation | undefined,
  obligations: readonly Obligation[],
  stats: RunStats,
  excused: Map<string, string>,
  tellers: Tellers,
  unconfirmed: readonly Incident[] = [],
): readonly Cluster[] => {
  const groups = Map.groupBy(clusters, cluster => answerOf(cluster.confirmed.incident))
  const unasked = Map.groupBy(unconfirmed.filter(isRejectedValid), answerOf)
  const excuse = (id: ObligationId, reason: string): void => {
    if (!hasPassed(stats, id)) excused.set(id, reason)
  }
  const hasAccepted = obligations.some(
    each => each.family === 'accept' && !isOfName(each) && hasPassed(stats, each.id),
  )
  return [...groups].flatMap(([answer, all]) => {
    const known = all.find(
      cluster =>
        !isOpen(cluster) &&
        isSettled(cluster.confirmed) &&
        cluster.confirmed.incident.testCase.expectation === 'accept' &&
        isFailed(cluster.confirmed.incident),
    )
    // A rule is told of any valid request in the end.
    const rule = known?.confirmed.rule
    const isOfMust = known?.obligations.some(({ level }) => level === 'MUST') === true
    const tells = rule === undefined || !isOfMust ? null : (rule.isToldBy ?? valid?.id ?? null)
    const teller = known === undefined ? null : (tells ?? primaryOf(known.obligations).id)
    for (const incident of unasked.get(answer) ?? []) {
      const { testCase, violation } = incident
      if (known === undefined || teller === null || !hasWhatFails(known, incident)) continue
      if (hasPassed(stats, violation.id)) tellers.set(testCase.number, teller)
      else excuse(violation.id, rejectedAsOthers(teller))
    }
    // What is answered as valid requests are shows nothing of what is wrong with it.
    const asValid = known === undefined ? [] : all.filter(isRejection)
    if (known !== undefined)
      for (const { id } of asValid.flatMap(({ obligations: those }) => those))
        excuse(id, `the server answers valid requests in the same way: see ${teller}`)
    const alike = all.filter(cluster => !asValid.includes(cluster))
    // Other valid requests kept their connection, so that one which is lost each time is lost for what its request has and theirs do not.
    const isOfItsOwn = (cluster: Cluster): boolean =>
      known === undefined && hasAccepted && isLostFeature(cluster)
    const open = alike.filter(cluster => isOpen(cluster) && !isOfItsOwn(cluster))
    const places = new Set(open.flatMap(({ obligations: those }) => those.map(placeOf)))
    const areValid = open.every(({ confirmed }) => confirmed.incident.testCase.expectation === 'accept')
    const isToldOtherwise = known !== undefined || (valid !== undefined && hasAccepted && areValid)
    if (open.length === 0 || (!isToldOtherwise && places.size < 2) || (hasAccepted && isOfOneValue(open)))
      return alike
    const others = alike.filter(cluster => !open.includes(cluster))
    const reason =
      known === undefined
        ? 'it is not known what its requests were rejected for: the run had to end before it could ask, or the server names another place'
        : rejectedAsOthers(teller)
    for (const { id } of open.flatMap(({ obligations: those }) => those)) excuse(id, reason)
    if (teller !== null) for (const each of open) noteTeller(each, teller, tellers)
    const [first] = open
    if (known !== undefined || valid === undefined || !hasAccepted || first === undefined) return others
    const incidents = open.flatMap(cluster => cluster.incidents)
    // Of requests without a response nobody knows whether the server was still there.
    const isAnswered = first.confirmed.incident.outcome.kind === 'response'
    const cases = isAnswered ? incidents.length : first.incidents.length
    const { incident } = first.confirmed
    const violation = { ...incident.violation, id: valid.id }
    const shown = { ...incident, testCase: { ...incident.testCase, obligation: valid }, violation }
    const confirmed = { ...first.confirmed, incident: shown, key: `any ${answer}` }
    return [
      ...others,
      { ...first, obligations: [valid], also: [], confirmed, incidents, cases, key: confirmed.key },
    ]
  })
}

const rejectedAsOthers = (teller: ObligationId | null): string =>
  `its requests were rejected as others were: see ${teller}`

/** Whether a valid request was rejected in words that tell one reason from another. */
const isRejectedValid = (incident: Incident): boolean => {
  const { testCase, outcome } = incident
  const isRejected = statusOf(outcome) >= 400 && statusOf(outcome) < 500
  const isValid = testCase.expectation === 'accept' && testCase.obligation.family === 'accept'
  return isValid && isRejected && tellsApart(reasonOf(incident, []))
}

/** Whether a request has, at another place than the one that its case is about, what a cluster is about. */
const hasWhatFails = ({ obligations }: Cluster, { testCase: { obligation, spec } }: Incident): boolean =>
  obligations.some(
    ({ subject }) =>
      'location' in subject &&
      !isAbout(obligation, subject.location) &&
      valueIn(spec, subject.location) !== undefined,
  )

/** The cases of a cluster failed for what the finding of another requirement tells. */
export const noteTeller = ({ incidents }: Cluster, id: ObligationId, tellers: Tellers): void => {
  for (const { testCase } of incidents) tellers.set(testCase.number, id)
}

/** What was not sent again, as one of any request: nobody knows whether its case has anything to do with the status. */
export const withoutFeature = (confirmed: Confirmed): Confirmed => {
  const { incident } = confirmed
  const { testCase } = incident
  const obligation = { ...testCase.obligation, input: null }
  return isUnasked(confirmed) && !isKeptOut(incident)
    ? { ...confirmed, incident: { ...incident, testCase: { ...testCase, obligation } } }
    : confirmed
}

/** What is kept out for its credentials says so. */
const isKeptOut = ({ testCase: { cause }, outcome }: Confirmed['incident']): boolean =>
  cause === 'credentials' && outcome.kind === 'response' && [401, 403].includes(outcome.response.status)

const isFailed = ({ outcome }: Cluster['confirmed']['incident']): boolean =>
  outcome.kind === 'failure' || outcome.response.status >= 400

/** Whether a cluster is about invalid requests that the server rejected, but not as it should. */
const isRejection = ({ obligations, confirmed: { incident } }: Cluster): boolean =>
  obligations.every(({ family }) => family === 'reject') &&
  incident.testCase.expectation === 'reject' &&
  incident.outcome.kind === 'response' &&
  incident.outcome.response.status >= 400 &&
  incident.outcome.response.status < 500

/** Whether a valid request failed for what its case is about, as far as one request shows. */
const isOpen = ({ obligations, confirmed }: Cluster): boolean => {
  const { incident, rule } = confirmed
  // Credentials in another spelling are what a 401 is about.
  if (obligations.every(({ family }) => family === 'auth') && [401, 403].includes(statusOf(incident.outcome)))
    return false
  return (
    (isUnasked(confirmed) || blamesOther(incident)) &&
    rule === undefined &&
    isFailed(incident) &&
    (incident.testCase.expectation === 'accept' || incident.outcome.kind === 'failure') &&
    obligations.every(each => each.family !== 'response' && each.subject.kind !== 'state' && !isGeneral(each))
  )
}

/** Whether the server failed on one unusual value alone, wherever requests had it. */
const isOfOneValue = (clusters: readonly Cluster[]): boolean => {
  const tested = clusters.flatMap(({ obligations }) => obligations.map(({ subject }) => subject))
  const [first] = tested
  return (
    first?.kind === 'value' &&
    tested.every(subject => subject.kind === 'value' && subject.name === first.name) &&
    clusters.every(({ confirmed }) => statusOf(confirmed.incident.outcome) >= 500)
  )
}

/** Whether the connection was lost by a request with something that most valid requests do not have. */
const isLostFeature = ({ obligations, confirmed: { incident } }: Cluster): boolean =>
  isLost(incident.outcome) && obligations.every(each => !isGeneral(each) && !isOneOfFew(each.subject))

/** Where the request has what an obligation is about, or what that is. */
const placeOf = ({ subject }: Obligation): string =>
  'location' in subject
    ? locationText(subject.location)
    : pathOf(subject).slice(0, 2).join('/') || subject.kind

/** Whether the server names places of the body that it rejects, and none of them has to do with what the case is about. */
const blamesOther = ({ testCase: { obligation, spec }, outcome }: Incident): boolean => {
  const { subject } = obligation
  if (!('location' in subject) || !isOfBody(subject.location) || outcome.kind === 'failure') return false
  const { place } = subject.location
  const named = namedPlaces(readableBody(outcome.response), spec.body)
  return named.length > 0 && named.every(each => !isWithin(each, place) && !isWithin(place, each))
}

export const isWronglyAccepted = ({ testCase, outcome }: Incident, { operation }: OperationModel): boolean =>
  testCase.expectation === 'reject' &&
  outcome.kind === 'response' &&
  isTaken(operation, outcome.response.status, true)
