/**
 * What is used of Prism. In the published package, this file has Prism in it (`scripts/bundle-libraries.ts`): installed, it
 * would bring 132 packages and 56 MB, most of which nothing here uses.
 */
export { faker } from '@faker-js/faker'
export { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
