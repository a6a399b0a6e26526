import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { product } from '../process/product.ts'
import { runSelf } from '../process/run-self.ts'
import { createMocks, folderOf, type Input, type Mocks, type Tool, tools } from './mcp/tools.ts'

/** Characters of an answer: an agent has a context to keep. */
const mostText = 60_000

/** Serves the tools over standard input and output, until the client closes its side. */
export const runMcp = async (): Promise<void> => {
  const mocks = createMocks()
  const server = new Server(
    { name: product.name, version: product.version },
    {
      capabilities: { tools: {} },
      instructions:
        'Check a server with verify, mend one cause, check it with replay, and verify again. Mend the server, or the document if the server is right; do not widen the baseline, waivers or exclusions to get a passing run.',
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ command: _, ...tool }) => tool),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name)
    const input = params.arguments ?? {}
    const missing = tool?.inputSchema.required.filter(name => input[name] === undefined) ?? []
    if (tool === undefined) return failed(`there is no tool ${params.name}`)
    if (missing.length > 0) return failed(`${params.name} needs ${missing.join(' and ')}`)
    return call(tool, input, mocks, signal)
  })
  await new Promise<void>((resolve, reject) => {
    server.onclose = resolve
    // The transport does not tell that its input has ended.
    process.stdin.once('end', () => void server.close())
    server.connect(new StdioServerTransport()).catch(reject)
  })
  mocks.stopAll()
}

const said = (text: string, isError = false): CallToolResult => ({
  content: [
    {
      type: 'text',
      text: text.length > mostText ? `${text.slice(0, mostText)}\n… (${text.length} characters)` : text,
    },
  ],
  ...(isError ? { isError } : {}),
})

const failed = (text: string): CallToolResult => said(text, true)

const call = async (tool: Tool, input: Input, mocks: Mocks, signal: AbortSignal): Promise<CallToolResult> => {
  if (tool.command === null) return ofMock(tool.name, input, mocks)
  const report = join(folderOf(input), 'agent.md')
  // That of an earlier run says nothing of this one.
  if (tool.name === 'verify') rmSync(report, { force: true })
  const { code, stdout, stderr } = await runSelf(tool.command(input), signal)
  // What a run found is its result; that it could not be made is a failure.
  if (tool.name === 'verify' && existsSync(report))
    return said(`${readFileSync(report, 'utf8')}\nexit code ${code}`)
  const isAnswered = code === 0 || code === 1
  return said(
    [stdout.trim(), isAnswered ? '' : stderr.trim(), `exit code ${code}`].filter(Boolean).join('\n'),
    !isAnswered,
  )
}

const ofMock = async (name: string, input: Input, mocks: Mocks): Promise<CallToolResult> => {
  if (name === 'mock_stop') {
    const url = String(input.url)
    return mocks.stop(url) ? said(`stopped ${url}`) : failed(`no mock was started at ${url}`)
  }
  try {
    return said(await mocks.start(String(input.spec)))
  } catch (error) {
    return failed((error as Error).message)
  }
}
