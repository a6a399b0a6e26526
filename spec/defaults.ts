/** How failures that no declared response fits may be judged. This file loads nothing, so that the help of a command can show it at once. */
export const undeclaredFailurePolicies = ['gap', 'fail'] as const

/** A token as text: visible ASCII characters, with spaces at most between them. */
export const tokenPattern = '^[\\x21-\\x7e]+(?: +[\\x21-\\x7e]+)*$'

const fieldName = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"

/** How a token is sent, as text: one of `credentialForms`. */
export const credentialFormPattern = `^(?:(?<scheme>bearer|basic)|(?<field>${fieldName}):[ \\t]*(?<template>(?=.*\\{\\})[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?)[ \\t]*|(?<place>header|cookie):(?<name>${fieldName})|query:(?<parameter>[^\\s&=#]+))$`

/** The forms, for messages. */
export const credentialForms =
  "bearer, basic, header:X-Api-Key, query:token, cookie:sid, or a header with {} for the token, such as 'Authorization: token {}'"
