import type { Flow, Json } from '../../spec/index.ts'

/** The workflows by their ids, and what they begin with. */
export type FlowInputs = {
  readonly flowOf: (id: string) => Flow
  /** The inputs of a workflow, each of the user's or of the document. */
  readonly given: (flow: Flow) => Readonly<Record<string, Json>>
  /** The required inputs of a workflow that nothing gives a value. */
  readonly lacking: (flow: Flow) => readonly string[]
  /** The workflow to start for a step of this one: itself, or one that calls it with the inputs that it needs. */
  readonly startOf: (id: string) => Flow | null
}

/** `inputs`: those of the user, by name or by `workflow.name`. */
export const inputsOf = (flows: readonly Flow[], inputs: Readonly<Record<string, Json>>): FlowInputs => {
  const flowOf = (id: string): Flow => flows.find(flow => flow.id === id) as Flow
  const given = ({ id, inputs: declared }: Flow): Readonly<Record<string, Json>> =>
    Object.fromEntries(
      [...new Set([...Object.keys(declared), ...Object.keys(inputs)])].flatMap(name => {
        const value = inputs[`${id}.${name}`] ?? inputs[name] ?? declared[name]
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
  const lacking = (flow: Flow): readonly string[] => {
    const values = given(flow)
    return flow.required.filter(name => values[name] === undefined)
  }
  const startOf = (id: string, seen: readonly string[] = []): Flow | null => {
    const flow = flowOf(id)
    if (lacking(flow).length === 0) return flow
    if (seen.includes(id)) return null
    const callers = flows.filter(({ steps }) =>
      steps.some(step => step.target.kind === 'workflow' && step.target.workflow === id),
    )
    return callers.map(caller => startOf(caller.id, [...seen, id])).find(found => found !== null) ?? null
  }

  return { flowOf, given, lacking, startOf }
}
