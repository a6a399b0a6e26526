import { expiredNote, type NoteEvent } from '../../spec/index.ts'
import type { RunSession } from './session.ts'

/** What a reader should know before the cases: what weakens the result of the run, and what differs from an earlier one. */
export const openingNotes = ({ options, scope, range }: RunSession): readonly NoteEvent[] => {
  const { insecure, target, proxy } = options
  return [
    ...(insecure && target.protocol === 'https:'
      ? [warning('--insecure: the certificate was not verified, so this may be another server')]
      : []),
    ...(proxy === null
      ? []
      : [warning(`all requests went through the proxy ${proxy.origin}, which may cause some findings`)]),
    ...scope.waivers.expired.map(expiredNote).map(warning),
    ...(range === 0
      ? []
      : [info('an earlier run with this seed has used its ids: this run uses another range of ids')]),
  ]
}

/** How often the server asked for patience during the run. */
export const closingNotes = ({ operations }: RunSession): readonly NoteEvent[] => {
  const waits = [...operations.values()].reduce((sum, { sender }) => sum + sender.waits(), 0)
  return waits === 0 ? [] : [info(`honoured ${waits} Retry-After ${waits === 1 ? 'response' : 'responses'}`)]
}

const warning = (message: string): NoteEvent => ({ type: 'note', level: 'warning', message })

const info = (message: string): NoteEvent => ({ type: 'note', level: 'info', message })
