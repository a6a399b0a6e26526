import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { type BaselineEntry, baselineEntriesOf, type Ledger } from '../../../spec/index.ts'
import type { NewPlant } from '../../broken-servers/store/model.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'

const tag = 'createPlant/response/200/echo/tag'

/** Verifies a store that gives created plants this tag. */
const judge = (
  tagOf: (sent: string | undefined) => string | undefined,
  baseline: readonly BaselineEntry[],
): Promise<Ledger> =>
  during(
    storeWith({ plant: ({ name, tag: sent }: NewPlant) => ({ name, tag: tagOf(sent) }) }),
    ({ url, token }) => verify({ target: url, token, seed: 5, sustained: 0, strict: true, baseline }),
  )

test('another wrong value under the same status is another cause than the one in the baseline', async () => {
  const known = baselineEntriesOf(await judge(() => undefined, []))
  expect(known.find(({ obligation }) => obligation === tag)?.cause).toBe('answered 200 (absent)')
  expect((await judge(() => undefined, known)).end?.conclusion).toBe('accepted')

  const leaking = await judge(() => 'of another tenant', known)
  expect(leaking.end?.conclusion).toBe('nonconformant')
  expect(leaking.entries.find(({ obligation }) => obligation.id === tag)?.verdict.kind).toBe('failed')
  expect(leaking.notes.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(
      /^createPlant\/response\/200\/echo\/tag fails for another cause than in the baseline \(«answered 200 \(/,
    ),
  )
})
