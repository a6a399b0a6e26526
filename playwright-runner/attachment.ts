/** The name of the attachment with the shard result of a test. */
export const attachmentName = 'plantstore-shard-result'
