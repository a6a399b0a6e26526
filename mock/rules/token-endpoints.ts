import { asNode, type Contract, createRouter } from '../../spec/index.ts'

/** A token endpoint of an OAuth flow that is no operation of the document. */
export type TokenEndpoint = { readonly path: string; readonly scheme: string }

const known = new WeakMap<Contract, readonly TokenEndpoint[]>()

/** The paths of `tokenUrl` and `refreshUrl` that the document does not declare. */
export const tokenEndpoints = (contract: Contract): readonly TokenEndpoint[] => {
  const found = known.get(contract) ?? endpointsOf(contract)
  known.set(contract, found)
  return found
}

const endpointsOf = (contract: Contract): readonly TokenEndpoint[] => {
  const schemes = Object.entries(asNode(asNode(contract.document.components).securitySchemes))
  const urls = schemes.flatMap(([scheme, node]) =>
    Object.values(asNode(asNode(node).flows)).flatMap(flow =>
      [asNode(flow).tokenUrl, asNode(flow).refreshUrl].flatMap(url =>
        typeof url === 'string' && URL.canParse(url, base)
          ? [{ scheme, path: new URL(url, base).pathname }]
          : [],
      ),
    ),
  )
  if (urls.length === 0) return []
  const router = createRouter(contract)
  return urls.filter(({ path }) => path !== '/' && router('POST', path).kind === 'no-path')
}

const base = 'http://localhost'
