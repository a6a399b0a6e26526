/** The part of the package that is used. Its own types load those of browsers for the whole project, so tsconfig.json names this file instead. */
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
