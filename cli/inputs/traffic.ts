import { readFileSync } from 'node:fs'
import { readTraffic, TrafficError } from '../../reports/index.ts'
import type { TrafficEntry } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'

/** The exchanges in a HAR file or a Postman collection. Throws UsageError. */
export const trafficIn = (file: string): readonly TrafficEntry[] => {
  try {
    return readTraffic(textOf(file))
  } catch (error) {
    if (error instanceof TrafficError) throw new UsageError(`${file} cannot be used: ${error.message}`)
    throw error
  }
}

/** The same as something to replay. */
export const recordingIn = (file: string) => ({ file, entries: trafficIn(file) })

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE'
        ? `${file} is too large: export less at a time`
        : `${file} cannot be read: ${message}`,
    )
  }
}
