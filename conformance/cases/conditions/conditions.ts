/** The conditions of valid requests, and the requests in which every two of them meet. */
import type { Precondition, RequestSpec, TestCase } from '../case.ts'
import { lazily, type OperationModel } from '../operation-model.ts'
import { connections, type Factor, type Fresh, factorsOf } from './factors.ts'
import { pairArray, type Row } from './pair-array.ts'

export type Conditions = {
  /** Rows without extremes, which a server MUST accept: every two such levels are together in one of them. */
  readonly ordinary: () => readonly Row[]
  /** Rows with extremes, which a server SHOULD accept: each extreme is together with every other level in one of them. */
  readonly extreme: () => readonly Row[]
  /** The number of pairs of levels. */
  readonly pairs: number
  /** The pairs that a request has, as numbers below `pairs`. */
  readonly pairsOf: (testCase: Pick<TestCase, 'spec' | 'precondition'>) => readonly number[]
  /** The request with the levels of a row, as far as it stays valid. */
  readonly apply: (spec: RequestSpec, row: Row, label: string, fresh: Fresh | null) => RequestSpec
  readonly preconditionOf: (row: Row) => Precondition
}

/** Further conditions are left out: the number of pairs grows with the square of the number of conditions. */
const mostFactors = 16

/** Found once for each operation. */
export const conditionsOf = (model: OperationModel): Conditions => {
  const conditions = known.get(model) ?? findConditions(model)
  known.set(model, conditions)
  return conditions
}

const known = new WeakMap<OperationModel, Conditions>()

const findConditions = (model: OperationModel): Conditions => {
  const factors = factorsOf(model).slice(0, mostFactors)
  const offsets = pairOffsets(factors)
  return {
    ordinary: lazily(() => ordinaryRows(factors)),
    extreme: lazily(() =>
      pairArray(factors.map(({ levels }) => levels.length)).filter(row =>
        row.some((level, index) => isExtreme(factors[index], level)),
      ),
    ),
    pairs: offsets.total,
    pairsOf: testCase => {
      const levels = factors.map(factor => factor.levels.indexOf(factor.of(testCase) ?? ''))
      return levels.flatMap((level, one) =>
        level < 0
          ? []
          : levels.flatMap((second, other) =>
              other <= one || second < 0 ? [] : [offsets.numberOf(one, level, other, second)],
            ),
      )
    },
    apply: (spec, row, label, fresh) =>
      factors.reduce(
        // Texts of their own, as some servers mix up properties.
        (rest, factor, index) =>
          factor.set(rest, factor.levels[row[index] ?? 0] ?? '', `${label}${index}`, fresh),
        spec,
      ),
    preconditionOf: row => {
      const index = factors.findIndex(({ levels }) => levels === connections)
      return connections[row[index] ?? 0] ?? 'none'
    },
  }
}

const isExtreme = (factor: Factor | undefined, level: number): boolean =>
  factor?.extremes.includes(factor.levels[level] ?? '') === true

const ordinaryRows = (factors: readonly Factor[]): readonly Row[] => {
  const choices = factors.map(factor =>
    factor.levels.flatMap((_level, index) => (isExtreme(factor, index) ? [] : [index])),
  )
  return pairArray(choices.map(({ length }) => length)).map(row =>
    row.map((choice, index) => choices[index]?.[choice] ?? 0),
  )
}

const pairOffsets = (factors: readonly Factor[]) => {
  let total = 0
  const starts = factors.map((one, index) =>
    factors.map((other, second) => {
      const start = total
      if (second > index) total += one.levels.length * other.levels.length
      return start
    }),
  )
  const numberOf = (one: number, level: number, other: number, second: number): number =>
    (starts[one]?.[other] ?? 0) + level * (factors[other]?.levels.length ?? 0) + second
  return { total, numberOf }
}
