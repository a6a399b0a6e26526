/** Of the package, what is used: its own types bring those of browsers, which then count everywhere. tsconfig.json names this file for it. */
type Options = { readonly namespaceResolver: (prefix: string) => string | null }

declare const fontoxpath: {
  readonly evaluateXPathToBoolean: (
    path: string,
    item: object,
    domFacade: null,
    variables: object,
    options: Options,
  ) => boolean
  readonly evaluateXPathToStrings: (
    path: string,
    item: object,
    domFacade: null,
    variables: object,
    options: Options,
  ) => string[]
}

export { fontoxpath as default }
