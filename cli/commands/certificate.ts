import { Argument, Command, Option } from 'commander'
import type { CertificateFlags } from '../handlers/run-certificate.ts'
import { text } from '../options/parse.ts'

export const certificateCommand = (leave: (code: number) => void): Command =>
  new Command('certificate')
    .summary('tell a recorded run on pages to be printed')
    .description(
      'Writes a test record of a recorded run as PDF: what was judged, the verdict, findings, waivers and digests. It is no certification, and says so. Where there is no browser it writes the same as HTML.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(
      new Option('--out <file>', 'a .pdf, or an .html to need no browser')
        .default('plantstore-certificate.pdf')
        .argParser(text),
    )
    .addOption(new Option('--paper <size>', 'the paper').choices(['A4', 'Letter']).default('A4'))
    .addHelpText('after', examples)
    .action(async (file: string, flags: CertificateFlags) => {
      const { runCertificate } = await import('../handlers/run-certificate.ts')
      leave(await runCertificate(file, flags))
    })

const examples = `
Examples:
  plantstore certificate plantstore-report/ledger.ndjson
  plantstore certificate plantstore-report/ledger.ndjson --out record.pdf --paper Letter

The PDF is made by the package playwright with Chromium or Google Chrome; PLANTSTORE_BROWSER names
another one.
`
