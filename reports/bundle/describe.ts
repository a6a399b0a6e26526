import { certificateText, givenPairs, isOfMock, mockText, seedText, testedName } from '../view/run-record.ts'
import type { Manifest } from './manifest.ts'

/** What a bundle is about, in one line: what was tested, the verdict, where, when, and with which requests. */
export const bundleTitle = ({ contract, run }: Manifest): string =>
  [testedName({ ...run, contract }), run.verdict, run.target, run.at, `seed ${seedText(run)}`].join(', ')

/** What else those who ran the tests say, and the certificates that the server showed, in one line each. */
export const bundleFacts = ({ run }: Manifest): readonly string[] => [
  ...(isOfMock(run) ? [`no product was tested: ${mockText}`] : []),
  ...givenPairs(run).map(([name, value]) => `${name.toLowerCase()}: ${value}`),
  ...run.certificates.map(certificate => `server certificate: ${certificateText(certificate)}`),
]
