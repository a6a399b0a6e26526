import type { Mock } from '../../mock/index.ts'
import { createPaint } from '../../spec/index.ts'
import type { LogKind } from '../options/output-flags.ts'
import { isColoured, say } from '../process/terminal.ts'
import { asciiJson } from './document-text.ts'

export type Log = { readonly say: (message: string) => void; readonly end: () => Promise<void> }

/** Prints a message as the log has its lines: with `json` it is an object as well, so that a script can read all of them. */
export const sayAs =
  (kind: LogKind | undefined): ((message: string) => void) =>
  message =>
    say(kind === 'json' ? messageJson(message) : message)

const messageJson = (message: string): string => asciiJson({ message: message.trim() })

/** Logs every request of the mock on standard error. */
export const startLog = async (mock: Mock, tokens: readonly string[], given?: LogKind): Promise<Log> => {
  const kind = given ?? (process.stderr.isTTY === true ? 'text' : 'none')
  if (kind === 'none') return { say, end: async () => {} }
  const [{ createLineWriter }, { createRedact, logJson, logLine }] = await Promise.all([
    import('./line-writer.ts'),
    import('./request-log.ts'),
  ])
  const paint = createPaint(isColoured(process.stderr))
  const redact = createRedact(() => mock.documents, tokens)
  const own = kind === 'json' ? messageJson : (message: string): string => message
  const { write, end } = createLineWriter(own)
  mock.journal.listen(entry =>
    write(kind === 'json' ? logJson(entry, redact) : logLine(entry, paint, redact)),
  )
  // Other messages go the same way, so that they stay in order.
  return { say: message => write(own(message)), end }
}
