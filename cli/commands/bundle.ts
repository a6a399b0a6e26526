import { Argument, Command, Option } from 'commander'
import type { KeygenFlags, MakeFlags, SignFlags, VerifyBundleFlags } from '../handlers/run-bundle.ts'
import { text } from '../options/parse.ts'

export const bundleCommand = (leave: (code: number) => void): Command =>
  new Command('bundle')
    .summary('the evidence of a run in one zip')
    .description(
      'Makes, signs and checks bundles: one zip with the contract, the ledger, the reports, the settings and a manifest of their digests. All of it offline.',
    )
    .addCommand(make(leave))
    .addCommand(keygen(leave))
    .addCommand(sign(leave))
    .addCommand(verify(leave))
    .addHelpText('after', examples)

const zip = (): Argument => new Argument('<zip>', 'a bundle')

const make = (leave: (code: number) => void): Command => {
  return new Command('make')
    .summary('make one from a recorded run')
    .description(
      'Makes a bundle from a recorded ledger. The contract is read again, and put in where it is still the one that was tested; `verify --bundle` knows more of the run.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(
      new Option('--out <file>', 'the zip to write').default('plantstore-bundle.zip').argParser(text),
    )
    .addOption(
      new Option('--spec <file|url>', 'the contract that was tested (default: where the ledger says)'),
    )
    .addOption(new Option('--network-refs', 'follow $refs to http(s) addresses'))
    .action(async (file: string, flags: MakeFlags) => {
      const { runMake } = await import('../handlers/run-bundle.ts')
      leave(await runMake(file, flags))
    })
}

const keygen = (leave: (code: number) => void): Command =>
  new Command('keygen')
    .summary('make a pair of keys')
    .description(
      'Makes a pair of Ed25519 keys: NAME.private.pem, which only you may read, and NAME.public.pem, which others check by.',
    )
    .addOption(
      new Option('--out <name>', 'the beginning of both names').default('plantstore').argParser(text),
    )
    .action(async (flags: KeygenFlags) => {
      const { runKeygen } = await import('../handlers/run-bundle.ts')
      leave(runKeygen(flags))
    })

const sign = (leave: (code: number) => void): Command =>
  new Command('sign')
    .summary('sign one')
    .description(
      'Adds signature.json to a bundle that is sound: a signature over its manifest. No other file changes. Several may sign, each with a key of their own.',
    )
    .addArgument(zip())
    .addOption(new Option('--key <file>', 'PEM of an Ed25519 private key').makeOptionMandatory())
    .action(async (file: string, flags: SignFlags) => {
      const { runSign } = await import('../handlers/run-bundle.ts')
      leave(runSign(file, flags))
    })

const verify = (leave: (code: number) => void): Command =>
  new Command('verify')
    .summary('check one')
    .description(
      'Names every file of a bundle that was changed, added or removed, and what does not follow from its ledger; with --key also whether it was signed by that key. Nothing is unpacked to disk.',
    )
    .addArgument(zip())
    .addOption(new Option('--key <file>', 'PEM of the Ed25519 public key that must have signed it'))
    .addHelpText('after', '\nExit codes: 0 intact · 1 changed, or not signed by the key · 2 usage\n')
    .action(async (file: string, flags: VerifyBundleFlags) => {
      const { runVerifyBundle } = await import('../handlers/run-bundle.ts')
      leave(runVerifyBundle(file, flags))
    })

const examples = `
Examples:
  plantstore verify http://127.0.0.1:4010 --bundle run.zip   a run, with its bundle
  plantstore bundle keygen --out vendor                      vendor.private.pem, vendor.public.pem
  plantstore bundle sign run.zip --key vendor.private.pem
  plantstore bundle verify run.zip --key vendor.public.pem
`
