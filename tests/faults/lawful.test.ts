import { expectNoFalseAlarms } from './expect-faults.ts'

expectNoFalseAlarms()
