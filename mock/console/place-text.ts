import type { Contract } from '../../spec/index.ts'

/** `openapi.yaml:41`: file and line of a place in the document. */
export const placeText = (contract: Contract, pointer: string): string => {
  const { file, line } = contract.place(pointer)
  return `${file}:${line}`
}
