import { Argument, Command, Option } from 'commander'
import type { KeygenFlags, MakeFlags, SignFlags, VerifyBundleFlags } from '../handlers/bundle.ts'
import { endpoint, text } from '../options/parse.ts'

export const bundleCommand = (exit: (code: number) => void): Command =>
  new Command('bundle')
    .summary('pack, sign and check the evidence of a run')
    .description(
      'Packs the evidence of a run into one zip: the contract, the ledger, the reports, the settings, and a manifest of their digests. Works offline, but for time stamps.',
    )
    .helpCommand(false)
    .addCommand(make(exit))
    .addCommand(keygen(exit))
    .addCommand(sign(exit))
    .addCommand(verify(exit))
    .addHelpText('after', examples)

const zip = (): Argument => new Argument('<zip>', 'a bundle')

const timestampCa = (): Option =>
  new Option(
    '--timestamp-ca <file>',
    'root certificates (PEM) that the certificate of the time stamp must lead to (default: the roots of Node.js)',
  )

const make = (exit: (code: number) => void): Command =>
  new Command('make')
    .summary('make a bundle from a recorded run')
    .description(
      'Makes a bundle from a ledger. The contract is read again, and included if it is still the one that was tested; `verify --bundle` records more of the run.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(
      new Option('--out <file>', 'the zip to write').default('plantstore-bundle.zip').argParser(text),
    )
    .addOption(
      new Option('--spec <file|url>', 'the contract that was tested (default: the one in the ledger)'),
    )
    .addOption(new Option('--network-refs', 'follow $refs to http(s) addresses'))
    .action(async (file: string, flags: MakeFlags) => {
      const { runMake } = await import('../handlers/bundle.ts')
      exit(await runMake(file, flags))
    })

const keygen = (exit: (code: number) => void): Command =>
  new Command('keygen')
    .summary('make a key pair')
    .description(
      'Makes an Ed25519 key pair: NAME.private.pem, readable only by you, and NAME.public.pem, for those who check.',
    )
    .addOption(new Option('--out <name>', 'beginning of both names').default('plantstore').argParser(text))
    .action(async (flags: KeygenFlags) => {
      const { runKeygen } = await import('../handlers/bundle.ts')
      exit(runKeygen(flags))
    })

const sign = (exit: (code: number) => void): Command =>
  new Command('sign')
    .summary('sign a bundle')
    .description(
      'Adds a signature of the manifest to an intact bundle, as signature.json. No other file changes. Several parties can sign, each with a key of their own. With --timestamp-authority, the one flag here that uses the network, it also adds a time stamp of the manifest (RFC 3161), as timestamp.tsr.',
    )
    .addArgument(zip())
    .addOption(new Option('--key <file>', 'Ed25519 private key (PEM)').makeOptionMandatory())
    .addOption(
      new Option('--timestamp-authority <url>', 'ask this authority for a time stamp').argParser(endpoint),
    )
    .addOption(timestampCa())
    .addHelpText(
      'after',
      '\nExit codes: 0 signed · 1 not intact, not signed · 2 usage · 4 signed, but without the time stamp\n',
    )
    .action(async (file: string, flags: SignFlags) => {
      const { runSign } = await import('../handlers/bundle.ts')
      exit(await runSign(file, flags))
    })

const verify = (exit: (code: number) => void): Command =>
  new Command('verify')
    .summary('check a bundle')
    .description(
      'Lists every file of a bundle that was changed, added or removed, and everything that does not follow from its ledger. With --key it also checks the signature. A time stamp is checked if there is one. Nothing is unpacked to disk.',
    )
    .addArgument(zip())
    .addOption(new Option('--key <file>', 'Ed25519 public key that must have signed it (PEM)'))
    .addOption(timestampCa())
    .addHelpText(
      'after',
      '\nExit codes: 0 intact · 1 changed, not signed by the key, or without a valid time stamp · 2 usage\n',
    )
    .action(async (file: string, flags: VerifyBundleFlags) => {
      const { runVerifyBundle } = await import('../handlers/bundle.ts')
      exit(await runVerifyBundle(file, flags))
    })

const examples = `
Examples:
  plantstore verify http://127.0.0.1:4010 --bundle run.zip   a run with its bundle
  plantstore bundle keygen --out vendor                      vendor.private.pem, vendor.public.pem
  plantstore bundle sign run.zip --key vendor.private.pem
  plantstore bundle sign run.zip --key vendor.private.pem --timestamp-authority https://tsa.example.test
  plantstore bundle verify run.zip --key vendor.public.pem
`
