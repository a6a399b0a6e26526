import { stringify } from 'yaml'
import type { SuggestedOverlay } from '../../reports/index.ts'
import type { BaselineEntry, Pin } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'
import { writeWhole } from './whole-file.ts'

export const writeBaseline = (file: string, findings: readonly BaselineEntry[]): void =>
  write(file, 'Known failures, accepted by `verify --baseline`. Written by `plantstore baseline`.', {
    version: 1,
    findings,
  })

export const writePins = (file: string, pins: readonly Pin[]): void =>
  write(
    file,
    'Answers to the open questions, required by `verify --pins`; * stands for any characters. Written by `plantstore pin`.',
    { version: 1, pins },
  )

export const writeOverlay = (file: string, { overlay, info, actions }: SuggestedOverlay): void =>
  write(
    file,
    'What would make the document say what the server does: apply it with `--overlay`, or fix the server. Written by `plantstore verify --suggest-overlay`.',
    { overlay, info, actions },
  )

// JSON if the file's name says so, for tools that do not read YAML.
const write = (file: string, comment: string, value: object): void => {
  const text = file.endsWith('.json')
    ? `${JSON.stringify(value, null, 2)}\n`
    : `# ${comment}\n${stringify(value, { lineWidth: 0, schema: 'core' })}`
  try {
    writeWhole(file, [text])
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
