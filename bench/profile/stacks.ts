/** The stacks of a CPU profile, and what they are about. */

type CallFrame = { readonly functionName: string; readonly url: string }

export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: CallFrame
    readonly children?: readonly number[]
  }[]
  /** The node that ran at each sample, and the microseconds before it. */
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** The innermost function first. */
type Stack = readonly CallFrame[]

export function* stacksOf({ nodes, samples, timeDeltas }: CpuProfile): Generator<{
  readonly stack: Stack
  readonly microseconds: number
}> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])))
  const known = new Map<number, Stack>()
  const stackOf = (id: number): Stack => {
    const before = known.get(id)
    if (before !== undefined) return before
    const parent = parents.get(id)
    const frame = byId.get(id)?.callFrame
    const stack = [...(frame === undefined ? [] : [frame]), ...(parent === undefined ? [] : stackOf(parent))]
    known.set(id, stack)
    return stack
  }
  for (const [index, id] of samples.entries())
    yield { stack: stackOf(id), microseconds: timeDeltas[index] ?? 0 }
}

/** The first that fits a frame decides, from the innermost frame on: what several share, such as reading JSON, is of the caller. */
const kinds = [
  ['waiting for the store', ({ functionName }) => functionName === '(idle)'],
  ['collecting garbage', ({ functionName }) => functionName === '(garbage collector)'],
  [
    'writing to sockets, in the system',
    ({ functionName }) => /^write(?:v|\w+String|Buffer)$/.test(functionName),
  ],
  ['judging requests before they are sent', at('conformance/cases/expectation.ts', 'spec/judge/request')],
  ['judging responses', at('conformance/judge/', 'spec/judge/response', 'conformance/diagnose/')],
  ['drawing values and making requests', at('generator/', 'conformance/cases/', 'conformance/plan/')],
  [
    'digest, ledger and reports',
    at('conformance/plan/plan-digest', 'conformance/execute/exchange-log', 'reports/', 'cli/outputs/'),
  ],
  ['undici', at('node_modules/undici', 'internal/deps/undici', 'wasm:')],
  ['sending and collecting responses', at('conformance/send/', 'conformance/execute/', 'bench/')],
  ['loading modules', at('internal/modules/')],
] as const satisfies readonly (readonly [string, (frame: CallFrame) => boolean])[]

export type Kind = (typeof kinds)[number][0] | 'Node and the rest'

export const kindOfStack = (stack: Stack): Kind => {
  for (const frame of stack) for (const [kind, fits] of kinds) if (fits(frame)) return kind
  return 'Node and the rest'
}

function at(...parts: readonly string[]): (frame: CallFrame) => boolean {
  return ({ url }) => parts.some(part => url.includes(part))
}
