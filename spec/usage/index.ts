export { readUsage } from './read-usage.ts'
export * from './usage.ts'
