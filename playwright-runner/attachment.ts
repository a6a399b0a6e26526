/** The name of the attachment that holds what a cell showed. */
export const attachmentName = 'plantstore-part'
