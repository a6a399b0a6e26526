import type { Mock } from '../../mock/index.ts'
import { createPaint } from '../../reports/index.ts'
import type { LogKind } from '../options/output-flags.ts'
import { isColoured, say } from '../process/terminal.ts'

export type Log = { readonly say: (message: string) => void; readonly end: () => Promise<void> }

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
  const { write, end } = createLineWriter()
  mock.journal.listen(entry =>
    write(kind === 'json' ? logJson(entry, redact) : logLine(entry, paint, redact)),
  )
  // Other messages go the same way, so that they stay in order.
  return { say: kind === 'json' ? message => write(JSON.stringify({ message })) : write, end }
}
