import { Command, CommanderError } from 'commander'
import { baselineCommand } from './commands/baseline.ts'
import { bundleCommand } from './commands/bundle.ts'
import { certificateCommand } from './commands/certificate.ts'
import { configCommand } from './commands/config.ts'
import { diffCommand } from './commands/diff.ts'
import { explainCommand } from './commands/explain.ts'
import { pinCommand } from './commands/pin.ts'
import { reportCommand } from './commands/report.ts'
import { configurable } from './commands/verbs.ts'
import { say } from './outputs/terminal.ts'
import { exitCodes, faultOf } from './process/exit.ts'
import { product } from './process/product.ts'

/** Reads the arguments, does what they say and sets the exit code. Never throws. */
export const main = async (): Promise<void> => {
  const program = createProgram()
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) leave(error.exitCode === 0 ? exitCodes.conforms : exitCodes.usage)
    else {
      const { code, message } = faultOf(error)
      say(`plantstore: ${message}`)
      leave(code)
    }
  }
}

const leave = (code: number): void => {
  process.exitCode = code
}

const createProgram = (): Command => {
  const program = new Command('plantstore')
    .description('Contract tests and a mock server for a service described by OpenAPI.')
    .version(product.version)
    .configureHelp({ sortSubcommands: false, helpWidth: 100 })
    .configureOutput({
      // One line, and the same beginning as every other problem.
      outputError: (text, write) =>
        write(
          text
            .replace(/^error: /, 'plantstore: ')
            .replace('command-argument value', 'value')
            .replace(/\n(?=\(Did you mean)/, ' '),
        ),
    })
    .addHelpText(
      'after',
      `
  Start here:
    plantstore verify                    see what a run looks like, on the embedded mock
    plantstore mock                      develop against a server that keeps the contract
    plantstore verify URL --token T      judge your own server

  Exit codes: 0 conforms · 1 broken · 2 usage or configuration · 3 unusable document ·
              4 unreachable or inconclusive · 5 internal error · 130, 143 signals`,
    )

  const [verify, mock, replay, ...others] = configurable(leave) as [Command, Command, Command, ...Command[]]
  for (const command of [verify, mock, replay, ...others]) command.hook('preAction', settleFirst)
  for (const command of [
    verify,
    mock,
    replay,
    reportCommand(leave),
    ...others,
    diffCommand(leave),
    baselineCommand(leave),
    pinCommand(leave),
    configCommand(),
    certificateCommand(leave),
    bundleCommand(leave),
    explainCommand(),
  ])
    program.addCommand(command.copyInheritedSettings(program))
  tellHelp(program, '')

  // Whoever reads our output may stop before its end (`| head`): that is no error, and the exit code stays true.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  return program
}

/** What no flag gives comes from the environment, or from a file. */
const settleFirst = async (_: Command, command: Command): Promise<void> => {
  const { settle } = await import('./config/resolve.ts')
  await settle(command)
}

/** What a command is told by its parent, down to the last. */
const tellHelp = (command: Command, parents: string): void => {
  const path = `${parents}${command.name()}`
  command.exitOverride().showHelpAfterError(`(${path} --help tells more)`)
  for (const child of command.commands) tellHelp(child.copyInheritedSettings(command), `${path} `)
}
