/** JSON on one line, in ASCII: a terminal or a log collector cannot read it wrongly. */
export const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[\x7f-\uffff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
