import { otherUser, placeholders, type TokenForm } from './credential-placeholders.ts'

/** The text with `$PLANTSTORE_TOKEN` in the place of placeholders, for curl commands. */
export const shellToken = (text: string): string =>
  text.replace(placeholders, (_all, name: string | undefined, form: TokenForm | undefined) => {
    const command = shellForm(form ?? 'right')
    if (name === undefined) return command
    const variable = name === otherUser ? otherTokenVariable : `${secretPrefix}${name}`
    return command.replaceAll('PLANTSTORE_TOKEN', variable)
  })

/** The token of another user in the environment. */
const otherTokenVariable = 'PLANTSTORE_OTHER_TOKEN'

/** Before the name of a secret in the environment. */
export const secretPrefix = 'PLANTSTORE_SECRET_'

// Bash can make most forms from the variable; for the others, a fixed word does as well.
const shellForms: Partial<Record<TokenForm, string>> = {
  right: '$PLANTSTORE_TOKEN',
  cut: '$' + '{PLANTSTORE_TOKEN%?}',
  'cut-front': '$' + '{PLANTSTORE_TOKEN#?}',
  'last-changed': '$' + '{PLANTSTORE_TOKEN%?}~',
  'first-changed': '~$' + '{PLANTSTORE_TOKEN#?}',
  half: '$' + '{PLANTSTORE_TOKEN:0:$' + '{#PLANTSTORE_TOKEN}/2}',
  lengthened: '$' + '{PLANTSTORE_TOKEN}x',
  'lengthened-front': 'x$PLANTSTORE_TOKEN',
  doubled: '$PLANTSTORE_TOKEN$PLANTSTORE_TOKEN',
  'swapped-case': '$' + '{PLANTSTORE_TOKEN~~}',
  'upper-case': '$' + '{PLANTSTORE_TOKEN^^}',
  'lower-case': '$' + '{PLANTSTORE_TOKEN,,}',
  reversed: '$(printf %s "$PLANTSTORE_TOKEN" | rev)',
  hex: '$(printf %s "$PLANTSTORE_TOKEN" | od -An -tx1 | tr -d " \\n")',
  percent: '$(printf %s "$PLANTSTORE_TOKEN" | od -An -tx1 | tr -d "\\n" | tr " " %)',
  basic: '$(printf %s "$PLANTSTORE_TOKEN" | base64 -w0)',
  'basic-user': '$(printf %s "user:$PLANTSTORE_TOKEN" | base64 -w0)',
}

const shellForm = (form: TokenForm): string => shellForms[form] ?? 'another-token'
