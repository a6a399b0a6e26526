// The one door to fast-check: everything random in this room comes through here.
export * as fc from 'fast-check'
