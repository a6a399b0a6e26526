import { Command, CommanderError } from 'commander'
import { baselineCommand } from './commands/baseline.ts'
import { bundleCommand } from './commands/bundle.ts'
import { compareCommand } from './commands/compare.ts'
import { completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config.ts'
import { diffCommand } from './commands/diff.ts'
import { evolveCommand } from './commands/evolve.ts'
import { explainCommand } from './commands/explain.ts'
import { judgeCommand } from './commands/judge.ts'
import { lintCommand } from './commands/lint.ts'
import { mcpCommand } from './commands/mcp.ts'
import { mergeCommand } from './commands/merge.ts'
import { mockCommand } from './commands/mock.ts'
import { obligationsCommand } from './commands/obligations.ts'
import { pinCommand } from './commands/pin.ts'
import { proxyCommand } from './commands/proxy.ts'
import { replayCommand } from './commands/replay.ts'
import { reportCommand } from './commands/report.ts'
import { selftestCommand } from './commands/selftest.ts'
import { verifyCommand } from './commands/verify.ts'
import { configurable } from './config/setting.ts'
import { groupOptions } from './options/help-groups.ts'
import { useDocumentOfFolder } from './options/spec-flags.ts'
import { exitCodeHelp, exitCodes, failureOf } from './process/exit.ts'
import { product } from './process/product.ts'
import { say } from './process/terminal.ts'

/** Parses the arguments (default: those of the process), runs the command and sets the exit code. Never throws. */
export const main = async (args?: readonly string[]): Promise<void> => {
  const program = createProgram(code => {
    process.exitCode = code
  })
  // A reader may close our output early (`| head`). That is not an error, and the exit code stays as it is.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  try {
    await (args === undefined ? program.parseAsync() : program.parseAsync([...args], { from: 'user' }))
  } catch (error) {
    if (error instanceof CommanderError)
      process.exitCode = error.exitCode === 0 ? exitCodes.conformant : exitCodes.usage
    else {
      const { exitCode, message } = failureOf(error)
      say(`plantstore: ${message}`)
      process.exitCode = exitCode
    }
  }
}

/** The command line with all its commands; `exit` receives the exit code of the command that runs. */
export const createProgram = (exit: (code: number) => void = () => {}): Command => {
  const program = new Command('plantstore')
    .description('Contract tests and a mock server for any HTTP API described by OpenAPI.')
    .version(product.version)
    .configureHelp({ sortSubcommands: false, helpWidth: 100, subcommandTerm: command => command.name() })
    .helpCommand(false)
    .configureOutput({
      // One line, with the same beginning as every other error; an argument may have line breaks and terminal codes.
      outputError: (text, write) =>
        write(
          withDocumentHint(
            text
              .replace(/^error: /, 'plantstore: ')
              .replace('command-argument value', 'value')
              .replace(/\n(?=\(Did you mean)/, ' ')
              .replace(/(?!\n$)\p{Cc}/gu, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
          ),
        ),
    })
    .addHelpText('after', examples)
  const groups: Readonly<Record<string, readonly Command[]>> = {
    'Test a server:': [
      verifyCommand(exit),
      proxyCommand(exit),
      judgeCommand(exit),
      replayCommand(exit),
      mergeCommand(exit),
      compareCommand(exit),
    ],
    'Develop against a mock:': [mockCommand(exit)],
    'Use a recorded run:': [
      reportCommand(exit),
      diffCommand(exit),
      bundleCommand(exit),
      baselineCommand(exit),
      pinCommand(exit),
    ],
    'Look inside, set up:': [
      obligationsCommand(),
      lintCommand(),
      evolveCommand(exit),
      explainCommand(),
      configCommand(),
      selftestCommand(exit),
      mcpCommand(),
      completionCommand(),
    ],
  }
  for (const [heading, commands] of Object.entries(groups))
    for (const command of commands) {
      groupOptions(command)
      program.addCommand(command.copyInheritedSettings(program).helpGroup(heading))
    }
  for (const command of configurable(program.commands)) command.hook('preAction', resolveFirst)
  for (const command of program.commands)
    command.hook('preAction', (_, given) => {
      useDocumentOfFolder(given)
    })
  showHelpOnError(program, '')
  return program
}

/** Completes the options from the environment and the configuration file. */
const resolveFirst = async (_: Command, command: Command): Promise<void> => {
  const { resolveSettings } = await import('./config/resolve.ts')
  await resolveSettings(command)
}

/** Most tools take the document as an argument. */
const withDocumentHint = (line: string): string =>
  line.includes('Expected 0 arguments but got 1: ')
    ? line.replace(/\n$/, ' Name the document with --spec.\n')
    : line

const showHelpOnError = (command: Command, parents: string): void => {
  const path = `${parents}${command.name()}`
  command.exitOverride().showHelpAfterError(`(see ${path} --help)`)
  for (const child of command.commands) showHelpOnError(child.copyInheritedSettings(command), `${path} `)
}

const examples = `
Examples:
  plantstore mock --spec openapi.yaml                       start a mock server
  plantstore verify URL --spec openapi.yaml --token TOKEN   test your server
  plantstore verify                                         see a run, on the embedded mock
${exitCodeHelp}`
