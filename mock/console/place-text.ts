import { type Contract, whereText } from '../../spec/index.ts'

/** `openapi.yaml:41`: file and line of a place in the document. */
export const placeText = (contract: Contract, pointer: string): string => whereText(contract.place(pointer))
