/** How the mock tells its requests on standard error. */
export const logKinds = ['none', 'lines', 'json'] as const
export type LogKind = (typeof logKinds)[number]
