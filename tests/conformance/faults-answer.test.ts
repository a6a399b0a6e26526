import { huntFaults } from './hunt.ts'

huntFaults('answer')
