import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type VerifyOptions, verify } from '../../conformance/index.ts'
import { type Contract, type Ledger, loadContract } from '../../spec/index.ts'
import { emptyFolder } from '../folder.ts'
import { type PlantServer, token } from './plant-server.ts'

const document = readFileSync(fileURLToPath(new URL('plants.openapi.yaml', import.meta.url)), 'utf8')

/** The contract of the plants, with these texts of its document replaced. */
export const plantContract = (
  ...edits: readonly (readonly [from: string, to: string])[]
): Promise<Contract> => {
  const from = join(emptyFolder(), 'plants.openapi.yaml')
  writeFileSync(
    from,
    edits.reduce((text, [before, after]) => text.replaceAll(before, after), document),
  )
  return loadContract({ from })
}

export const verifyPlants = (
  server: Pick<PlantServer, 'url'>,
  options: Partial<VerifyOptions> & { readonly contract: Contract },
): Promise<Ledger> => verify({ target: server.url, token, include: ['*'], seed: 1, sustained: 0, ...options })

export const failedIn = ({ findings }: Ledger): readonly string[] =>
  findings.flatMap(({ obligation, also }) => [obligation, ...also])
