import { verify } from '../conformance/index.ts'
import { createMock } from '../mock/index.ts'
import { requestLine } from '../reports/index.ts'
import { loadContract, plantStoreDocument, safeText } from '../spec/index.ts'

/** Different requests that are shown for one obligation, and characters of each. */
const shown = { requests: 12, characters: 200, bytes: 400 } as const

/** The text of docs/requests.md: what a run sends for each obligation of the plant store. */
export const requestsPage = async (): Promise<string> => {
  const contract = await loadContract({ from: plantStoreDocument.pathname })
  const mock = await createMock({ contract, tokens: ['secret-token'], warn: () => {} })
  try {
    const { exchanges, start } = await verify({
      contract,
      target: mock.url,
      token: 'secret-token',
      seed: 1,
      malformedHttp: true,
      sustained: 0,
    })
    const requests = Map.groupBy(exchanges, ({ obligation }) => obligation)
    const section = (family: string): string => {
      const obligations = start.obligations.filter(obligation => obligation.family === family)
      const lines = obligations.flatMap(({ id, requirement }) => {
        const sent = (requests.get(id) ?? []).map(({ request }) =>
          safeText(requestLine(request, request.raw === undefined ? shown.characters : shown.bytes)),
        )
        const different = [...new Set(sent)]
        const more = different.length - shown.requests
        return different.length === 0
          ? []
          : [
              `${id}: ${requirement}`,
              ...different.slice(0, shown.requests).map(line => `  ${line}`),
              ...(more > 0 ? [`  … and ${more} more`] : []),
            ]
      })
      return `## ${family}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`
    }
    return `# What a run sends

\`npm run docs\` writes this page from a run with the seed 1 and \`--malformed-http\`; do not edit it. It shows up to ${shown.requests} different requests for each
obligation of the plant store; long bodies are cut. \`{{token}}\` stands for the token, \`{{token:…}}\` for a changed form of it; ⏸ is a pause. Ids are of the
run's own range, and random values follow from the seed. Each response of a run is judged by the obligations of the family
\`response\`, and sustained load repeats such requests. \`plantstore explain <obligation>\` shows the same for any contract.

${['accept', 'reject', 'auth', 'stability', 'unspecified', 'protocol'].map(section).join('\n')}`
  } finally {
    await mock.close()
  }
}
