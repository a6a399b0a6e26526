import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FullConfig, Reporter, TestCase, TestResult } from 'playwright/types/testReporter'
import { ShardError } from '../conformance/index.ts'
import { type FormatName, inBatches, ledgerParts, reports, terminal } from '../reports/index.ts'
import { type Contract, isAcceptedPart, type Ledger } from '../spec/index.ts'
import { attachmentName } from './attachment.ts'
import { contractOf } from './contract.ts'
import { type Attempts, mergeAttempts } from './merge-attempts.ts'

export type ContractReporterOptions = {
  /** The contract of the tests, or the path or URL of its document. Default: the plant store's own. */
  readonly contract?: Contract | string
  /** Where reports are written; with several projects, in a folder for each. Default: `plantstore-report`. */
  readonly out?: string
  /** Reports to write beside the ledger; `plantstore report` makes the others from it. Default: json, junit, html. */
  readonly report?: readonly FormatName[]
}

/** The attempts at the tests of one project, by the id of the test. */
type Tests = Map<string, Attempts>

/**
 * Merges the results of `contractTests`, also from blob reports: writes one ledger and its reports, and makes its conclusion the
 * status of the run, which fails if a plan slice is missing. Playwright calls it with `new`.
 *
 * @example
 * reporter: [['html'], ['plantstore-contract/playwright', { out: 'report' }]]
 */
export function contractReporter(options: ContractReporterOptions = {}): Reporter {
  const projects = new Map<string, Tests>()
  let shard: FullConfig['shard'] = null
  let hasBegun = false
  const note = (test: TestCase, result: TestResult): void => {
    const shardResult = shardResultOf(result)
    const project = test.parent.project()?.name ?? ''
    const tests: Tests = projects.get(project) ?? new Map()
    const earlier = tests.get(test.id)
    // The project may have other tests.
    if (shardResult === null && earlier === undefined && !isContractTest(test)) return
    tests.set(test.id, [...(earlier ?? []), shardResult])
    projects.set(project, tests)
  }
  return {
    printsToStdio: () => false,
    onBegin: config => {
      shard = config.shard
    },
    onTestBegin: () => {
      hasBegun = true
    },
    onTestEnd: note,
    onEnd: async () => {
      // Listed tests did not run.
      if (!hasBegun) return
      if (shard !== null) {
        print(`shard ${shard.current} of ${shard.total}: merge-reports writes the ledger of the whole run`)
        return
      }
      if (projects.size === 0) {
        print('no plan slice was sent, so nothing is known about the server')
        return failed()
      }
      const contract = await contractOf(options.contract)
      let isGreen = true
      for (const [project, tests] of projects) {
        const folder = join(options.out ?? 'plantstore-report', projects.size > 1 ? folderName(project) : '')
        try {
          const ledger = mergeAttempts(contract, [...tests.values()])
          write(ledger, folder, options.report ?? ['json', 'junit', 'html'])
          isGreen &&= isAccepted(ledger)
        } catch (error) {
          if (!(error instanceof ShardError)) throw error
          print(error.message)
          isGreen = false
        }
      }
      return isGreen ? undefined : failed()
    },
  }
}

const isAccepted = (ledger: Ledger): boolean =>
  ledger.end?.conclusion === 'conformant' || ledger.end?.conclusion === 'accepted' || isAcceptedPart(ledger)

/** `merge-reports` ignores the status of its reporters and exits with 0. */
const failed = (): { readonly status: 'failed' } => {
  process.once('exit', code => {
    if (code === 0) process.exitCode = 1
  })
  return { status: 'failed' }
}

/** Whether a test was made by `contractTests`. */
const isContractTest = ({ annotations }: TestCase): boolean =>
  annotations.some(({ type }) => type === attachmentName)

const shardResultOf = ({ attachments }: TestResult): string | null => {
  const found = attachments.find(({ name }) => name === attachmentName)
  if (found === undefined) return null
  return found.body?.toString('utf8') ?? (found.path === undefined ? null : readFileSync(found.path, 'utf8'))
}

const folderName = (project: string): string => project.replace(/[^\w.-]+/g, '-') || 'default'

const write = (ledger: Ledger, folder: string, formats: readonly FormatName[]): void => {
  mkdirSync(folder, { recursive: true })
  const pathOf = (format: FormatName): string => join(folder, reports[format].file)
  const ledgerPath = join(folder, 'ledger.ndjson')
  writeParts(ledgerPath, ledgerParts(ledger))
  for (const format of new Set(formats)) writeParts(pathOf(format), reports[format].parts(ledger))
  print(
    terminal(ledger, {
      colour: process.stdout.hasColors?.() === true,
      verbosity: 'normal',
      ledger: ledgerPath,
      report: formats[0] === undefined ? null : pathOf(formats.includes('html') ? 'html' : formats[0]),
    }),
  )
}

const writeParts = (path: string, parts: Iterable<string>): void => {
  const file = openSync(path, 'w')
  try {
    for (const text of inBatches(parts)) writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

const print = (text: string): void => {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}
