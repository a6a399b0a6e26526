/**
 * Makes `dist/`, the published form: JavaScript with declarations, and beside it the files that the code reads.
 * A package is compiled because Node strips no types inside node_modules.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleCommand } from './bundle-command.ts'
import {
  bundleLibraries,
  certificates,
  jsonPath,
  licencesOf,
  prism,
  timeStamps,
  xPath,
} from './bundle-libraries.ts'
import { declarationsFrom } from './declarations.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
// The page of the mock's console is for browsers, and nobody imports it: it has a configuration of its own.
for (const project of ['tsconfig.build.json', 'mock/console/page/tsconfig.build.json'])
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
    cwd: root,
    stdio: 'inherit',
  })

// The compiler copies imported JSON by itself; what is read at run time it does not know of.
for (const file of globSync(
  ['spec/openapi/*.yaml', 'cli/config/*.schema.json', 'mock/console/page/styles/*.css'],
  { cwd: root },
))
  cpSync(join(root, file), join(dist, file))

// In declarations the compiler leaves `./x.ts` as it is; nobody but the compiler would find x.d.ts by that name.
for (const file of globSync('**/*.d.ts', { cwd: dist })) {
  const path = join(dist, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
}

await bundleLibraries(dist)
// The command is bundled. Of its room the library has only what configurations are written with.
const worker = join(dist, 'cli/handlers/selftest/selftest-worker.js')
const { output } = await bundleCommand(
  { plantstore: join(dist, 'cli/main.js'), 'selftest-worker': worker },
  join(dist, 'bin'),
  [prism, certificates, timeStamps, jsonPath, xPath].map(file => join(dist, file)),
)
const modules = output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
writeFileSync(join(dist, 'bin/plantstore.licenses.txt'), licencesOf(modules))
for (const file of globSync('cli/**/*.js', { cwd: dist }))
  if (!['index.js', 'define-config.js'].includes(basename(file))) rmSync(join(dist, file))
// Declarations that no entry of the package leads to are for nobody.
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}
const declared = new Set(
  Object.values(exports).flatMap(entry =>
    typeof entry === 'string' ? [] : [...declarationsFrom(join(root, entry.types))],
  ),
)
for (const file of globSync('**/*.d.ts', { cwd: dist }))
  if (!declared.has(join(dist, file))) rmSync(join(dist, file))
// Where its thread is started from.
writeFileSync(worker, "import '../../../bin/selftest-worker.js'\n")
