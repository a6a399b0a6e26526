import { type FolderName, type FormatName, folderNames, formatNames } from '../../reports/defaults.ts'

/** A format of one file, or of a folder of files. */
export type AnyFormat = FormatName | FolderName

export const anyFormats: readonly AnyFormat[] = [...formatNames, ...folderNames]
