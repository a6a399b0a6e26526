/** What is checked and said before the first request of a run. */
import type { Command } from 'commander'
import { destructiveOperations, howTokenIsSent } from '../../../conformance/index.ts'
import { resolvedSettingsOf } from '../../config/resolved-settings.ts'
import { isCi } from '../../options/environment.ts'
import { embeddedMock, type Target } from '../../options/server-target.ts'
import { UsageError } from '../../process/exit.ts'
import { say } from '../../process/terminal.ts'

/** In CI a missing variable must not turn the test of a server into one of the mock. */
export const checkNamed = (server: Target, command: Command): void => {
  const isNamed = resolvedSettingsOf(command).settings.some(
    ({ setting, origin }) => setting.name === 'url' && origin.kind !== 'default',
  )
  if (server === embeddedMock && !isNamed && isCi())
    throw new UsageError(
      'there is no URL, and CI is set: name the server (argument, PLANTSTORE_URL or url in the configuration), or embedded-mock',
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
