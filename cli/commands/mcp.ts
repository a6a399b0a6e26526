import { Command } from 'commander'

export const mcpCommand = (): Command =>
  new Command('mcp')
    .summary('serve verify, replay, explain and mocks to a coding agent')
    .description(
      'Serves tools over the Model Context Protocol on standard input and output: verify, findings, explain, replay, evolve, mock_start and mock_stop. The token is taken from PLANTSTORE_TOKEN.',
    )
    .addHelpText('after', examples)
    .action(async () => {
      const { runMcp } = await import('../handlers/mcp.ts')
      await runMcp()
    })

const examples = `
Examples:
  plantstore mcp
  PLANTSTORE_TOKEN=secret plantstore mcp
`
