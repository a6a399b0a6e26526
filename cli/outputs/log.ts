import type { Mock } from '../../mock/index.ts'
import { createPaint } from '../../reports/index.ts'
import type { LogKind } from '../options/log-kind.ts'
import { colourOf, say } from './terminal.ts'

export type Log = { readonly say: (message: string) => void; readonly end: () => Promise<void> }

/** Tells every request of the mock on standard error, from now on. */
export const startLog = async (mock: Mock, tokens: readonly string[], asked?: LogKind): Promise<Log> => {
  const kind = asked ?? (process.stderr.isTTY === true ? 'lines' : 'none')
  if (kind === 'none') return { say, end: async () => {} }
  const [{ createLineWriter }, { createHide, logJson, logLine }] = await Promise.all([
    import('./line-writer.ts'),
    import('./request-log.ts'),
  ])
  const paint = createPaint(colourOf(process.stderr))
  const hide = createHide(() => mock.documents, tokens)
  const { write, end } = createLineWriter()
  mock.journal.listen(entry => write(kind === 'json' ? logJson(entry, hide) : logLine(entry, paint, hide)))
  // What else is to be said then goes the same way, and stays in order.
  return { say: kind === 'json' ? message => write(JSON.stringify({ message })) : write, end }
}
