// The only file that imports fast-check: every arbitrary of this room comes from here.
export * as fc from 'fast-check'
