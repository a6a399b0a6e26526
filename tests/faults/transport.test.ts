import { expectFaultsOfKind } from './expect-faults.ts'

expectFaultsOfKind('transport')
