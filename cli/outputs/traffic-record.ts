import type { ProxyRun, RunCounts, RunOptions } from '../../mock/index.ts'
import { foldLedger, plural, type RunEvent } from '../../spec/index.ts'
import type { AnyFormat } from '../options/output-flags.ts'
import { exitCodes } from '../process/exit.ts'
import { product } from '../process/product.ts'
import { print, say } from '../process/terminal.ts'
import { openHar } from './har-file.ts'
import { openOutput } from './output.ts'
import { type PrintFlags, printRun } from './print-run.ts'

/** Whose violations fail a run of traffic. */
export type FailOn = 'request' | 'response' | 'any'

export type TrafficFlags = Omit<PrintFlags, 'report'> & {
  readonly failOn?: FailOn
  readonly report?: readonly AnyFormat[]
  readonly out: string
  readonly har?: string
}

export type TrafficRecord = {
  readonly start: (source: { readonly record: (options: RunOptions) => ProxyRun }) => ProxyRun
  /** Writes the reports, and returns the exit code; `exitCode`: what it is if there are no problems with files. */
  readonly end: (run: ProxyRun, exitCode: (counts: RunCounts) => number) => number
  readonly close: () => void
}

/** Opens what the traffic is recorded in, before there is any; `file`: where that is from. Throws UsageError. */
export const openTrafficRecord = (target: URL, flags: TrafficFlags, file?: string): TrafficRecord => {
  const { report, out, har: harFile } = flags
  const began = Date.now()
  const output = report === undefined ? null : openOutput(out, report)
  const har =
    harFile === undefined ? null : openHar(harFile, { product, origin: { base: target.href, began } })
  const events: RunEvent[] = []
  const onEvent = (event: RunEvent): void => {
    events.push(event)
    output?.event(event)
  }
  return {
    start: source =>
      source.record({
        product,
        target,
        file,
        at: began,
        ...(output === null ? {} : { onEvent }),
        ...(har === null ? {} : { onExchange: har.add }),
      }),
    end: (run, exitCode) => {
      run.end(Date.now() - began)
      const counts = run.counts()
      const { exchanges, requests, responses } = counts
      const summary = `${plural(exchanges, 'exchange')}: ${plural(requests, 'invalid request')}, the server at fault in ${responses.toLocaleString('en-US')}`
      if (flags.summary === undefined) print(summary)
      else say(summary)
      const code = exitCode(counts)
      if (code === exitCodes.inconclusive)
        say('nothing was judged: no request for an operation of the contract came through')
      const harProblems = har?.finish() ?? []
      if (output === null || report === undefined) {
        for (const problem of harProblems) say(problem)
        return harProblems.length > 0 ? exitCodes.usage : code
      }
      const ledger = foldLedger(events)
      const problems = [...output.finish(ledger), ...harProblems]
      return printRun(ledger, output, { ...flags, report }, problems, given =>
        given === exitCodes.usage ? given : code,
      )
    },
    close: () => output?.close(),
  }
}

/** Whether a side that has to keep the contract broke it. */
export const isAtFault = (failOn: FailOn | undefined, { requests, responses }: RunCounts): boolean =>
  failOn !== undefined && ((failOn !== 'response' && requests > 0) || (failOn !== 'request' && responses > 0))
