import { huntFaults } from './hunt.ts'

huntFaults('response')
