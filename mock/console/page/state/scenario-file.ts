import { callMockText } from './api.ts'

/** Saves the scenarios that are on, of a client or of all (empty), as a file that `--scenario-file` reads as well. */
export const saveScenarios = async (client: string): Promise<void> => {
  // As text: the numbers of answers keep every digit.
  const url = URL.createObjectURL(
    new Blob([await callMockText('sets', { client })], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = 'scenarios.json'
  link.click()
  URL.revokeObjectURL(url)
}
