import { expectFaultsOfKind } from './expect-faults.ts'

expectFaultsOfKind('response')
