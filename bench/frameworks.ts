/**
 * Two gates over real frameworks.
 *
 * - Plant stores in eight frameworks: as their defaults have them, and hardened. A hardened one has to be conformant, strictly and twice in a
 *   row, also behind nginx and HAProxy; a naive one has to show the faults of `frameworks/expected.json` and no other.
 * - Services whose framework writes the document. Every finding of ten seeds has to be in their `judged.json`.
 *
 *     node bench/frameworks.ts [--stores] [--services] [--seeds n] [--write] [name…]
 *
 * Installs what it needs with the package managers of the languages, in a folder for temporary files; what has no toolchain is left out, by
 * name. `--seeds` takes less than ten. `--write` records what the naive stores show.
 */
import { parseArgs } from 'node:util'
import { checkService } from './frameworks/check-service.ts'
import { failed } from './frameworks/processes.ts'
import { services } from './frameworks/services.ts'
import { checkStores } from './frameworks/stores.ts'

const { values, positionals } = parseArgs({
  options: {
    stores: { type: 'boolean', default: false },
    services: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const isChosen = (name: string): boolean => positionals.length === 0 || positionals.includes(name)
const count = Number(values.seeds)
const seeds = Array.from({ length: count }, (_, index) => index + 1)

if (values.stores || !values.services) await checkStores(isChosen, values.write)
if (values.services || !values.stores)
  for (const [name, service] of Object.entries(services).filter(([each]) => isChosen(each)))
    await checkService(name, service, seeds, count >= 10)
process.exitCode = failed() ? 1 : 0
