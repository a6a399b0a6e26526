/** What reports say of the product under test, of who ran the tests, and of the nonce. */
import { describe, expect, test } from 'vitest'
import { manifestOf } from '../../../reports/bundle/manifest.ts'
import { bundleFacts, bundleTitle, reports } from '../../../reports/index.ts'
import { foldLedger, type StartEvent, seedOfNonce } from '../../../spec/index.ts'
import { runs } from '../runs.ts'

const hostile = '</style><img src=x onerror=alert(1)>\u202e\u001b[31m`&"\''

const ledgerWith = (given: Partial<StartEvent>) =>
  foldLedger(
    runs.conformant.map(event => {
      if (event.type === 'start') return { ...event, ...given }
      return event.type === 'end' ? { ...event, certificates: [certificate] } : event
    }),
  )

const certificate = {
  subject: `CN=${hostile}`,
  names: '',
  issuer: 'CN=ca.test',
  from: '2026-01-01T00:00:00.000Z',
  to: '2027-01-01T00:00:00.000Z',
  sha256: 'cd'.repeat(32),
  verified: false,
}

const product = { name: 'Garden Shop', version: '1.4.2', commit: 'abc123' }
const given = { testedProduct: product, runBy: 'Jane Doe, ACME', nonce: 'n-1', seed: seedOfNonce('n-1') }

describe('the record', () => {
  test('has the product in its headline, and all that was stated, with the certificate', () => {
    const page = reports.record.write(ledgerWith(given))
    expect(page).toMatch(/<h1>Garden Shop 1\.4\.2: <strong>Conformant<\/strong><\/h1>/)
    expect(page).toContain('tested against Plant Store 1.0.0')
    for (const text of ['abc123', 'Jane Doe, ACME', 'n-1', certificate.sha256, 'not verified'])
      expect(page).toContain(text)
    expect(page).toContain(`${given.seed}, derived from the nonce`)
    expect(page).toContain('As stated by those who ran the tests. The run cannot check it.')
  })

  test('says that a seed was chosen although there was a nonce', () => {
    expect(reports.record.write(ledgerWith({ ...given, seed: 7 }))).toContain(
      '7, chosen by those who ran the tests: not derived from the nonce',
    )
  })

  test('does not name a product if there was none, only the mock', () => {
    const mocked = ledgerWith({ ...given, target: 'embedded-mock' })
    const page = reports.record.write(mocked)
    expect(page).toContain('<h1>Plant Store 1.0.0: <strong>Conformant')
    for (const text of [page, reports.html.write(mocked)])
      expect(text).toContain('<b>No product was tested:</b> the server was the embedded mock')
    expect(bundleFacts(manifestOf(mocked, [], []))[0]).toMatch(/^no product was tested: /)
    expect(reports.record.write(ledgerWith(given))).not.toContain('No product was tested')
  })

  test('says that the product was not named', () => {
    expect(reports.record.write(foldLedger(runs.conformant))).toContain('Not named: this record')
  })
})

test.each(['record', 'html', 'terminal', 'junit', 'markdown'] as const)(
  'hostile text stays text in %s',
  name => {
    const text = reports[name].write(
      ledgerWith({ testedProduct: { name: hostile }, runBy: hostile, nonce: hostile }),
    )
    for (const harm of ['\u202e', '\u001b', ...(name === 'terminal' ? [] : ['<img src=x'])])
      expect(text).not.toContain(harm)
  },
)

test('a bundle tells the same in its manifest', () => {
  const manifest = manifestOf(ledgerWith(given), [], [])
  expect(bundleTitle(manifest)).toMatch(
    /^Garden Shop 1\.4\.2, tested against Plant Store 1\.0\.0, CONFORMANT .*, seed \d+, derived from the nonce$/,
  )
  expect(bundleFacts(manifest)).toEqual([
    'product name: Garden Shop',
    'product version: 1.4.2',
    'product commit: abc123',
    'run by: Jane Doe, ACME',
    'nonce: n-1',
    expect.stringMatching(/^server certificate: SHA-256 (cd){32}; subject .*; not verified$/),
  ])
})
