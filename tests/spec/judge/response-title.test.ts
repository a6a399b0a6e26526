import { describe, expect, test } from 'vitest'
import {
  type Contract,
  createResponseJudge,
  type HttpResponse,
  type Json,
  judgeChallenge,
} from '../../../spec/index.ts'
import { contracts, operationOf } from '../contracts.ts'
import { response } from './outcomes.ts'

describe('a response violation has a title of its own', () => {
  const titles = (
    contract: Contract,
    operation: string,
    given: HttpResponse,
    sent?: Json,
  ): readonly (string | undefined)[] =>
    createResponseJudge(contract, operationOf(contract, operation))(given, sent).map(({ title }) => title)
  const location = [['Location', '/loans/x']] as const

  test.each<[HttpResponse, string]>([
    [response(418), 'answered 418, an undeclared status'],
    [response(400, '{"message":"no"}'), 'answered 400 with `error` missing in the body'],
    [
      response(400, '{"error":2147483648,"message":"no"}'),
      'answered 400 with 2147483648 as `error`, which must be an int32',
    ],
    [response(200, '[]'), 'answered 200 with [] as the body, which must be an object'],
    [response(200, '{"name":5}'), 'answered 200 with 5 as `name`, which must be a string'],
    [response(200, '{"name":"a"}', 'text/html'), 'answered 200 as text/html instead of application/json'],
    [response(200, '{"name":"a"}', null), 'answered 200 without a Content-Type'],
    [response(200, '\ufeff{"name":"a"}'), 'answered 200 with a byte order mark before the JSON'],
    [response(200, 'Fern'), 'answered 200 with a body that is not JSON'],
    [response(200, '{"name":"a","name":"a"}'), 'answered 200 with `name` twice in one object'],
    [
      response(200, '{"name":"a"}', 'application/json', [['Content-Encoding', 'gzip']]),
      'answered 200 with a body that cannot be decoded',
    ],
  ])('%j', (given, title) => {
    expect(titles(contracts.plantStore, 'createPlant', given)).toEqual([title])
  })

  test('an echo names both values, and a header its text', () => {
    const { plantStore, library } = contracts
    expect(
      titles(plantStore, 'createPlant', response(200, '{"name":"Oak","tag":"b"}'), { name: 'Fern' }),
    ).toEqual([
      'answered 200 with "Oak" as `name`, although "Fern" was sent',
      'answered 200 with "b" as `tag`, although none was sent',
    ])
    expect(titles(plantStore, 'createPlant', response(200, '{"name":"a"}'), { name: 'a', tag: 'b' })).toEqual(
      ['answered 200 without the `tag` that was sent'],
    )
    expect(
      titles(library, 'createLoan', response(201, '{"loanId":1,"copies":[]}', undefined, location)),
    ).toEqual(['answered 201 with /loans/x in the header Location, which must match `^/loans/[0-9]+$`'])
    expect(titles(library, 'listBooks', response(200, '[{"isbn":"123-1234567890","title":"a"}]'))).toEqual([
      'answered 200 without the header X-Total',
    ])
  })

  test.each([
    [[], 'answered 401 without a challenge in WWW-Authenticate'],
    [['Bearer realm="a'], 'answered 401 with a malformed WWW-Authenticate'],
    [['Bearer realm=a'], 'answered 401 with a realm without quotation marks'],
    [['Basic realm="a"'], 'answered 401 with a challenge of another scheme (basic)'],
    [['Bearer'], 'answered 401 with a Bearer challenge without parameters'],
  ])('the challenge %j', (values, title) => {
    const headers = values.map(value => ['WWW-Authenticate', value] as const)
    const violations = judgeChallenge(
      operationOf(contracts.plantStore, 'createPlant'),
      response(401, '', null, headers),
      'other',
    )
    expect(violations.map(violation => violation.title)).toEqual([title])
  })
})
