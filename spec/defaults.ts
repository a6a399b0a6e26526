/** How failures that no declared response fits may be judged. This file loads nothing, so that the help of a command can show it at once. */
export const undeclaredFailurePolicies = ['gap', 'fail'] as const
