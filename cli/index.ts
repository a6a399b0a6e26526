/** What a configuration is written with; all else of the command line is for the command alone. */
export { type Config, defineConfig } from './define-config.ts'
