import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contract, loadContract } from '../../spec/index.ts'

/** Loads a contract from the text of its document, in a folder of its own, so that it can refer to no file. */
export const contractFrom = async (document: string): Promise<Contract> => {
  const folder = mkdtempSync(join(tmpdir(), 'plantstore-'))
  try {
    const from = join(folder, 'contract.json')
    writeFileSync(from, document)
    return await loadContract({ from })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
