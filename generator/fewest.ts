import { fc } from './draw/fast-check.ts'

/**
 * What the fewest of some parts give: parts are left out as long as `holds` gives something for the rest. Which ones to try comes from the
 * shrinker of fast-check: none first, then all but half, and in the end all but one.
 */
export const fewest = async <Part, Result>(
  parts: readonly Part[],
  start: Result,
  holds: (rest: readonly Part[]) => Promise<Result | null>,
): Promise<Result> => {
  for (const { value: rest } of fc.subarray([...parts]).shrink([...parts], undefined)) {
    const result = await holds(rest)
    if (result !== null) return fewest(rest, result, holds)
  }
  return start
}
