export * from './usage.ts'
export { readUsage } from './usage.ts'
