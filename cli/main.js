#!/usr/bin/env node
import module from 'node:module'

// JavaScript, so that the compile cache is on before the first file that Node has to strip of its types: with what the cache holds the
// stripper is never loaded, which takes 25 ms. Nothing is imported by name here, as an older Node may not have it.
const needed = { major: 24, minor: 18 }
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < needed.major || (major === needed.major && minor < needed.minor)) {
  process.stderr.write(
    `plantstore: Node ${needed.major}.${needed.minor} or newer is needed, and this is ${process.versions.node} (npm install --save-dev node@24 brings one along)\n`,
  )
  process.exitCode = 2
} else {
  module.enableCompileCache()
  const { main } = await import('./program.ts')
  await main()
}
