import { callMockText } from './api.ts'

/** Saves what the mock has at a path, of a client or of all (empty), as a file that it can load again. */
export const saveFile = async (path: string, name: string, client: string): Promise<void> => {
  // As text: numbers keep every digit.
  const url = URL.createObjectURL(
    new Blob([await callMockText(path, { client })], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
