import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A part of a token of so many characters is still worth finding. */
const partLength = 8

/** In which forms the files of a folder have a token, or a part of it. */
export const leaksIn = (folder: string, token: string): readonly string[] => {
  const bytes = Buffer.from(token)
  const forms: Readonly<Record<string, string>> = {
    beginning: token.slice(0, partLength),
    end: token.slice(-partLength),
    base64: bytes.toString('base64').replace(/=+$/, '').slice(0, -1),
    'base64 after one byte': Buffer.from(`x${token}`).toString('base64').replace(/=+$/, '').slice(2, -1),
    'base64 after two bytes': Buffer.from(`xx${token}`).toString('base64').replace(/=+$/, '').slice(3, -1),
    hex: bytes.toString('hex'),
    'upper-case hex': bytes.toString('hex').toUpperCase(),
    percent: bytes.toString('hex').replace(/../g, '%$&'),
    unicode: [...token].map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    entities: [...token].map(char => `&#${char.charCodeAt(0)};`).join(''),
    reversed: [...token].reverse().join(''),
  }
  const found = new Set<string>()
  for (const file of filesIn(folder)) {
    const text = readFileSync(file, 'latin1')
    for (const [form, part] of Object.entries(forms)) if (text.includes(part)) found.add(form)
  }
  return [...found]
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

export const bytesIn = (folder: string): number =>
  filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0)
