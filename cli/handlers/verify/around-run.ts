import type { Command } from 'commander'
import { destructiveOperations, howTokenIsSent } from '../../../conformance/index.ts'
import { suggestedOverlay } from '../../../reports/index.ts'
import {
  type BaselineEntry,
  builtIn,
  type Contract,
  type Ledger,
  plural,
  undeclaredForm,
  withoutFixed,
} from '../../../spec/index.ts'
import { resolvedSettingsOf } from '../../config/resolved-settings.ts'
import { isCi } from '../../options/environment.ts'
import { embeddedMock, type Target } from '../../options/server-flags.ts'
import { writeBaseline, writeOverlay } from '../../outputs/report-files.ts'
import { UsageError } from '../../process/exit.ts'
import { say } from '../../process/terminal.ts'

/** What is checked and said before a run, and said and written after it. */

/** In CI a missing variable must not turn the test of a server into one of the mock. The URL of a document is not that of its server. */
export const checkNamed = (server: Target, spec: string | undefined, command: Command): void => {
  if (server !== embeddedMock && spec === undefined && /\.(?:ya?ml|json)$/i.test(server.pathname))
    throw new UsageError(
      `${server.href} looks like a document: give the URL of the server, and --spec ${server.href}`,
    )
  const isNamed = resolvedSettingsOf(command).settings.some(
    ({ setting, origin }) => setting.name === 'url' && origin.kind !== 'default',
  )
  if (server === embeddedMock && !isNamed && isCi())
    throw new UsageError(
      'there is no URL, and CI is set: name the server (argument, PLANTSTORE_URL or url in the configuration), or embedded-mock',
    )
}

/** Says that the plant store’s own contract was tested, if the user named none and the server has other paths. */
export const sayIfOwnContract = (
  { source }: Contract,
  { end, findings }: Pick<Ledger, 'end' | 'findings'>,
): void => {
  if (source === builtIn && end?.stopped === 'access' && findings.length === 0)
    say(
      'the contract was the plant store’s own: no --spec was given, and this folder has no openapi.yaml, .yml or .json',
    )
}

type Run = Parameters<typeof destructiveOperations>[0] & Parameters<typeof howTokenIsSent>[1]

/** How the token is sent, if the document does not say it, and what is not sent. */
export const sayBeforeRun = (options: Run): void => {
  const sent = howTokenIsSent(options.contract, options)
  if (sent !== null) say(sent)
  sayWhatIsWithheld(options)
}

/** Which operations are not sent, as they may destroy something, and how to have them sent. */
const sayWhatIsWithheld = (options: Run): void => {
  const withheld = destructiveOperations(options)
  if (withheld.length === 0) return
  const names = withheld
    .slice(0, mostNamed)
    .map(({ method, path, danger }) => `  ${method} ${path}: ${danger}`)
  const more = withheld.length > mostNamed ? [`  and ${withheld.length - mostNamed} more`] : []
  say(
    [
      `not sent, as they may destroy what the run did not create (--include 'METHOD /path' sends them):`,
      ...names,
      ...more,
    ].join('\n'),
  )
}

const mostNamed = 20

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
