/**
 * What version 0.8.0 of the report of the Web Fuzzing Commons requires, as a JSON Schema of ours: there is no package of npm with theirs. Their
 * prose adds that ids refer to each other; `wfc.test.ts` holds that.
 */
const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const listOf = (items: object, rest: object = {}) => ({ type: 'array', items, ...rest })
const codes = [
  [100, 122],
  [200, 207],
  [300, 312],
  [900, 999],
].map(([minimum, maximum]) => ({ minimum, maximum }))

const object = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

const category = object({ id: text, code: { type: 'integer', anyOf: codes }, context: text }, ['id', 'code'])

const fault = object({
  operationId: text,
  testCaseId: text,
  faultCategories: listOf(category, { minItems: 1, uniqueItems: true }),
})

const covered = object({
  endpointId: text,
  testCaseId: text,
  httpStatus: listOf({ type: 'integer', minimum: 0, maximum: 599 }, { uniqueItems: true }),
})

const rest = object({
  outputHttpCalls: count,
  evaluatedHttpCalls: count,
  endpointIds: listOf(text, { uniqueItems: true }),
  coveredHttpStatus: listOf(covered),
})

export const wfcSchema = {
  ...object({
    schemaVersion: { const: '0.8.0' },
    toolName: text,
    toolVersion: text,
    creationTime: { type: 'string', format: 'date-time' },
    executionTimeInSeconds: count,
    faults: object({ totalNumber: count, foundFaults: listOf(fault) }),
    problemDetails: object({ rest }),
    totalTests: count,
    testFilePaths: listOf(text, { uniqueItems: true }),
    testCases: listOf(object({ id: text, filePath: text, name: text })),
    warnings: listOf(object({ message: text, category: text })),
  }),
  // The format allows more members, and ours has none.
  additionalProperties: false,
}
