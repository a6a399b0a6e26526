import type { RequestSpec } from '../../conformance/cases/case.ts'

/** A request without parameters and without a body. */
export const requestSpec: RequestSpec = {
  ...{ method: 'POST', path: '/a', parameters: {}, body: undefined, encoding: { kind: 'json' } },
  ...{ contentType: 'application/json', chunked: false, queryEscapes: false, credentials: null, extra: [] },
  ...{ renewable: false, derivedFrom: null, malformedHttp: null },
}
