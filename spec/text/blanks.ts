/** A text without the spaces and tabs around it, which HTTP calls optional white space (RFC 9110, 5.6.3). */
export const withoutBlanks = (text: string): string => text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')
