/** Bytes as a text with one character for each: bytes of any kind fit into a JSON value, and a length counts them. */
export const latin1 = (bytes: Uint8Array): string => {
  // A browser has no Buffer; there the slower way has to do.
  if (typeof Buffer !== 'undefined') {
    const buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return buffer.toString('latin1')
  }
  let text = ''
  for (let at = 0; at < bytes.length; at += chunk)
    text += String.fromCharCode(...bytes.subarray(at, at + chunk))
  return text
}

const chunk = 8192

/** A text as headers have it: one character for each of its bytes in UTF-8. */
export const asBytes = (text: string): string => latin1(new TextEncoder().encode(text))

/** The bytes of such a text; a character beyond U+00FF, which is no byte, makes it a text in UTF-8. */
export const bytesOf = (text: string): Uint8Array => {
  if (!/^[\0-\u00ff]*$/.test(text)) return new TextEncoder().encode(text)
  return typeof Buffer !== 'undefined'
    ? Buffer.from(text, 'latin1')
    : Uint8Array.from(text, char => char.charCodeAt(0))
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that these bytes are in UTF-8; null if they are none. */
export const utf8Text = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
