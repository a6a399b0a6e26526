import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FullConfig, Reporter, TestCase, TestResult } from 'playwright/types/testReporter'
import { type FormatName, reports, terminal, writeLedger } from '../reports/index.ts'
import type { Contract, Ledger } from '../spec/index.ts'
import { attachmentName } from './attachment.ts'
import { ledgerOf } from './attempts.ts'
import { contractOf } from './contract.ts'

export type ContractReporterOptions = {
  /** The contract of the tests, or the path or URL of its document. Default: the plant store's own. */
  readonly contract?: Contract | string
  /** Where reports are written; those of several projects in a folder each. Default `plantstore-report`. */
  readonly out?: string
  /** Reports to write beside the ledger; `plantstore report` makes the others of it. Default: json, junit, html. */
  readonly report?: readonly FormatName[]
}

/** The parts of each test of one project, one for each attempt; null for an attempt that left none. */
type Attempts = Map<string, (string | null)[]>

/**
 * Puts together what the tests of `contractTests` showed, also from blob reports: one ledger, its reports, and its
 * conclusion as the status of the run. A cell that is missing fails it. Made by Playwright, with `new`.
 *
 * @example
 * reporter: [['html'], ['plantstore-contract/playwright', { out: 'report' }]]
 */
export function contractReporter(options: ContractReporterOptions = {}): Reporter {
  const projects = new Map<string, Attempts>()
  let shard: FullConfig['shard'] = null
  let hasBegun = false
  const note = (test: TestCase, result: TestResult): void => {
    const part = partOf(result)
    const project = test.parent.project()?.name ?? ''
    const attempts: Attempts = projects.get(project) ?? new Map()
    const known = attempts.get(test.id)
    // Other tests may stand beside ours.
    if (part === null && known === undefined && !isOurs(test)) return
    attempts.set(test.id, [...(known ?? []), part])
    projects.set(project, attempts)
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
      // Tests that are only listed say nothing.
      if (!hasBegun) return
      if (shard !== null) {
        say(`shard ${shard.current} of ${shard.total} is a part of the run: merge-reports makes the ledger`)
        return
      }
      if (projects.size === 0) {
        say('no cell of the contract was sent: nothing is known of the server')
        return failed()
      }
      const contract = await contractOf(options.contract)
      let isGreen = true
      for (const [project, attempts] of projects) {
        const folder = join(options.out ?? 'plantstore-report', projects.size > 1 ? folderName(project) : '')
        try {
          const ledger = ledgerOf(contract, [...attempts.values()])
          write(ledger, folder, options.report ?? ['json', 'junit', 'html'])
          isGreen &&= ledger.end?.conclusion === 'conformant'
        } catch (error) {
          if ((error as Error).name !== 'PartError') throw error
          say((error as Error).message)
          isGreen = false
        }
      }
      return isGreen ? undefined : failed()
    },
  }
}

/** `merge-reports` asks no reporter for its status, and would leave with 0 all the same. */
const failed = (): { readonly status: 'failed' } => {
  process.once('exit', code => {
    if (code === 0) process.exitCode = 1
  })
  return { status: 'failed' }
}

/** What every test of ours is known by, even where it left nothing. */
const isOurs = ({ annotations }: TestCase): boolean => annotations.some(({ type }) => type === attachmentName)

const partOf = ({ attachments }: TestResult): string | null => {
  const found = attachments.find(({ name }) => name === attachmentName)
  if (found === undefined) return null
  return found.body?.toString('utf8') ?? (found.path === undefined ? null : readFileSync(found.path, 'utf8'))
}

const folderName = (project: string): string => project.replace(/[^\w.-]+/g, '-') || 'default'

const write = (ledger: Ledger, folder: string, formats: readonly FormatName[]): void => {
  mkdirSync(folder, { recursive: true })
  const pathOf = (format: FormatName): string => join(folder, reports[format].file)
  const ledgerPath = join(folder, 'ledger.ndjson')
  writeFileSync(ledgerPath, writeLedger(ledger))
  for (const format of new Set(formats)) writeFileSync(pathOf(format), reports[format].write(ledger))
  say(
    terminal(ledger, {
      colour: process.stdout.hasColors?.() === true,
      verbosity: 'normal',
      ledger: ledgerPath,
      report: formats[0] === undefined ? null : pathOf(formats.includes('html') ? 'html' : formats[0]),
    }),
  )
}

const say = (text: string): void => {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}
