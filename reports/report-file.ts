/** One file of a report that is a folder of them. */
export type ReportFile = { readonly name: string; readonly text: string }
