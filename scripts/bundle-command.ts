import { isAbsolute, relative } from 'node:path'
import { type RolldownOutput, rolldown } from 'rolldown'

/**
 * Packages that go into the files as well: what only the command uses, so that nobody installs it. What the library needs as well is
 * installed, and the command runs that copy, so that updates, overrides and audits act on it.
 */
export const inlined = ['@modelcontextprotocol/sdk', 'oauth4webapi', 'zod', 'zod-to-json-schema']

const isBundled = (id: string): boolean =>
  // What the bundler itself needs belongs into the bundle.
  /oxc-project|rolldown/.test(id) || inlined.some(name => id === name || id.startsWith(`${name}/`))

/**
 * Puts our own modules that a command loads into few files: a process that runs it starts in half the time. `input`: the modules that
 * begin, by the names of their files in `folder`. `apart`: modules that stay files of their own, as they are large and seldom loaded.
 * Other packages are imported as before.
 */
export const bundleCommand = async (
  input: Readonly<Record<string, string>>,
  folder: string,
  apart: readonly string[] = [],
): Promise<RolldownOutput> => {
  const fromFolder = (file: string): string => {
    const path = relative(folder, file).replaceAll('\\', '/')
    return path.startsWith('.') ? path : `./${path}`
  }
  const bundle = await rolldown({
    input,
    platform: 'node',
    transform: { target: 'esnext' },
    external: id => !id.startsWith('.') && !isAbsolute(id) && !isBundled(id),
    plugins: [
      {
        name: 'files apart',
        async resolveId(source, importer, options) {
          const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
          return resolved !== null && apart.includes(resolved.id)
            ? { id: fromFolder(resolved.id), external: true }
            : null
        },
      },
      {
        // A module finds the files that it reads, and workers that it starts, from where it was.
        name: 'places of modules',
        transform: (code, id) =>
          code.replaceAll(
            'import.meta.url',
            `new URL(${JSON.stringify(fromFolder(id))}, import.meta.url).href`,
          ),
      },
    ],
  })
  try {
    return await bundle.write({ dir: folder, format: 'esm', comments: false, chunkFileNames: '[name].js' })
  } finally {
    await bundle.close()
  }
}
