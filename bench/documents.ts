import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The folder that the command line names. */
export const namedFolder = (command: string): string => {
  const [folder] = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
  if (folder === undefined) throw new Error(`name the folder of the documents: npm run ${command} -- FOLDER`)
  return folder
}

/** All OpenAPI documents below a folder, as paths in it. */
export const documentsIn = (folder: string): readonly string[] =>
  globSync('**/*.{yaml,yml,json}', { cwd: folder })
    .filter(file => isDocument(join(folder, file)))
    .toSorted()

const isDocument = (file: string): boolean =>
  statSync(file).isFile() && /^[\s{]*["']?(?:openapi|swagger)["']?\s*:/m.test(readFileSync(file, 'utf8'))
