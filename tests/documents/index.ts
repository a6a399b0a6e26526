import { fileURLToPath } from 'node:url'

/** The path of a document of these tests. */
export const documentPath = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** One small document for each kind of trouble. */
export const brokenFolder: string = documentPath('broken')

export const libraryDocument: string = documentPath('library.openapi.yaml')
export const ordersDocument: string = documentPath('orders/orders.openapi.json')
/** That of an example, with tags, descriptions in Markdown, alternatives and files. */
export const shopDocument: string = documentPath('../../examples/shop/shop.openapi.yaml')
export const paymentsDocument: string = documentPath('payments.openapi.yaml')
