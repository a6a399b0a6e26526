#!/usr/bin/env node
import module from 'node:module'

// Said here, before anything is loaded that an older Node cannot read; for the same reason nothing is imported by name.
const needed = [24, 18] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(
    `plantstore: Node ${needed.join('.')} or newer is needed, and this is ${process.versions.node} (npm install --save-dev node@24 brings one along)\n`,
  )
  process.exitCode = 2
} else {
  module.enableCompileCache()
  const { main } = await import('./program.ts')
  await main()
}
