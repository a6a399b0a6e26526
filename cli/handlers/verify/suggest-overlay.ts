import { suggestedOverlay } from '../../../reports/index.ts'
import { type Contract, type Ledger, plural, undeclaredForm } from '../../../spec/index.ts'
import { writeOverlay } from '../../outputs/gate-files.ts'
import { say } from '../../process/terminal.ts'

/** Writes what would make the document and the server agree, if the user asked for that. */
export const suggestOverlay = (
  { suggestOverlay: file, auth }: { readonly suggestOverlay?: string; readonly auth?: string },
  contract: Contract,
  ledger: Ledger,
  hasToken: boolean,
): void => {
  if (file === undefined) return
  const overlay = suggestedOverlay(contract, ledger, hasToken ? (auth ?? undeclaredForm(contract)) : null)
  writeOverlay(file, overlay)
  const { actions, elsewhere } = overlay
  say(
    actions.length === 0
      ? `the document says what the server does, as far as this run shows: ${file} has no changes`
      : `wrote ${plural(actions.length, 'change')} of the document to ${file}: look at them, then apply them with --overlay, or fix the server`,
  )
  if (elsewhere > 0)
    say(`${plural(elsewhere, 'more change')} would be in other files, which an overlay cannot change`)
}
