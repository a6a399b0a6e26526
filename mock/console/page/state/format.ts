const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Text with its invisible and direction-changing characters written as escapes, so that nothing hides in it. */
export const escapeInvisible = (text: string): string =>
  text.replace(invisible, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const dots = '••••••'

export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((masked, secret) => masked.replaceAll(secret, dots), text)

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 * 1024
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1024 / 1024).toFixed(1)} MiB`

export const msText = (ms: number): string =>
  ms < 1 ? '<1 ms' : ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`

export const timeText = (at: number): string => {
  const time = new Date(at)
  const twoDigits = (number: number): string => String(number).padStart(2, '0')
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}:${twoDigits(time.getSeconds())}`
}

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
