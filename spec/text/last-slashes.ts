/** A path or URL without the slashes at its end. The end is looked for once, however many slashes come before it. */
export const withoutLastSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '')
