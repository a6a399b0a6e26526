/** A secret as programs write it, and can turn it back, wherever it stands in what they encode. */
export const encodedForms = (secret: string): readonly string[] => {
  if (secret.length <= 3) return []
  const hex = Buffer.from(secret).toString('hex')
  const codes = [...secret].map(char => char.codePointAt(0) ?? 0)
  const escapes = codes.map(code => code.toString(16).padStart(4, '0'))
  return [
    ...[0, 1, 2].flatMap(offset => inBase64(secret, offset)),
    hex,
    hex.toUpperCase(),
    hex.replace(/../g, '%$&'),
    hex.toUpperCase().replace(/../g, '%$&'),
    escapes.map(code => `\\u${code}`).join(''),
    escapes.map(code => `\\u${code.toUpperCase()}`).join(''),
    // As a string in JSON that is itself in JSON.
    escapes.map(code => `\\\\u${code}`).join(''),
    codes.map(code => `&#${code};`).join(''),
    codes.map(code => `&#x${code.toString(16)};`).join(''),
  ]
}

/** The characters of a base64 text that depend on the secret alone if it begins after so many bytes (modulo 3), in both alphabets. */
const inBase64 = (secret: string, offset: number): readonly string[] => {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const text = bytes.toString('base64').replace(/={1,2}$/, '')
  const own = text.slice(Math.ceil((offset * 8) / 6), bytes.length % 3 === 0 ? undefined : -1)
  // A few characters may come from anything else.
  return own.length < 6 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}
