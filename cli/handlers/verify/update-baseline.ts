import { type BaselineEntry, type Ledger, plural, withoutFixed } from '../../../spec/index.ts'
import { writeBaseline } from '../../outputs/gate-files.ts'
import { say } from '../../process/terminal.ts'

type BaselineFlags = { readonly baseline?: string; readonly updateBaseline?: boolean }

/** Removes what a run has fixed from the baseline, with `--update-baseline`. */
export const updateBaseline = (
  flags: BaselineFlags,
  before: readonly BaselineEntry[],
  ledger: Ledger,
): void => {
  if (flags.baseline === undefined || flags.updateBaseline !== true) return
  const after = withoutFixed(before, ledger)
  if (after.length === before.length) return
  writeBaseline(flags.baseline, after)
  const removed = plural(before.length - after.length, 'fixed failure')
  say(`removed ${removed} from the baseline ${flags.baseline}; ${after.length} remain`)
}
